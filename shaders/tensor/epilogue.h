// What rungs 28 and 29 make of a sum: they add a bias, the first element of B's column, and divide what is negative
// (leaky ReLU). The other way round leads to the sum again, exactly, so that every element is checked.
float finished(float sum, float bias)
{
  const float value = sum + bias;
  return value < 0.0f ? value / TENSOR_SLOPE : value;
}
