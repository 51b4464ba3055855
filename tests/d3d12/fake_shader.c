const char *vkd3d_shader_get_version(unsigned int *major, unsigned int *minor);

const char *vkd3d_shader_get_version(unsigned int *major, unsigned int *minor)
{
  *major = MAJOR;
  *minor = 99;
  return "vkd3d-shader 2.99 (fake)";
}
