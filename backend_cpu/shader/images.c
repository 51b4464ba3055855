/* Images, texel buffers and samplers, as words/images.h reads and writes them: lines, planes and volumes of one level,
 * without layers and samples. What is read through a sampler is not told to the runtime: no such access lies outside,
 * and core refuses a dispatch that also writes the image. */
#include "shader/shader.h"

#include "runtime/xb_cpu.h"

/* The type of the image, of which a value is one or contains one. */
static uint32_t image_type(const shader *s, uint32_t value)
{
  const uint32_t type = type_of(s, value);
  return op_of(s, type) == SpvOpTypeSampledImage ? arg(s, type, 2) : type;
}

static uint32_t dimensions(const shader *s, uint32_t image)
{
  const uint32_t dim = arg(s, image, XB_SPIRV_DIM);
  return dim == SpvDim1D || dim == SpvDimBuffer ? 1 : dim == SpvDim3D ? 3 : 2;
}

static bool check_shape(shader *s, uint32_t image)
{
  static const char *const shapes[] = {"1D", "2D", "3D", "cube", "rectangle", "buffer", "subpass"};
  const uint32_t dim = arg(s, image, XB_SPIRV_DIM);
  const bool layers = arg(s, image, XB_SPIRV_ARRAYED), samples = arg(s, image, XB_SPIRV_MULTISAMPLED);
  if (op_of(s, image) == SpvOpTypeImage && !layers && !samples && (dim <= SpvDim3D || dim == SpvDimBuffer))
    return true;
  shader_refuse(s, XB_UNSUPPORTED,
                "an image of the kind '%s%s%s' is not translated: kernels may use images of one "
                "to three dimensions, without layers, samples or faces",
                dim < sizeof shapes / sizeof *shapes ? shapes[dim] : "unknown", layers ? ", layers" : "",
                samples ? ", samples" : "");
  return false;
}

/* Others may write it meanwhile: the variable says so, or the image operands do. */
static bool is_coherent_image(const shader *s, const uint32_t *at, uint32_t image, uint32_t mask_word)
{
  enum { AVAILABLE = 0x100, VISIBLE = 0x200, VOLATILE = 0x800 };
  return is_coherent(s, image_variable(s, image), (word(at, mask_word) & (AVAILABLE | VISIBLE | VOLATILE)) != 0);
}

/* The operand that a bit of the image operands announces; 0: it is not there. */
static uint32_t operand(const uint32_t *at, uint32_t mask_word, uint32_t bit)
{
  const uint32_t mask = word(at, mask_word);
  uint32_t i = mask_word + 1;
  for (uint32_t b = 1; b < bit; b <<= 1)
    i += mask & b ? (b == SpvImageOperandsGradMask ? 2 : 1) : 0;
  return mask & bit ? word(at, i) : 0;
}

static void say_part(shader *s, uint32_t value, uint32_t i)
{
  say(s, is_vector(s, type_of(s, value)) ? "v%u.c[%u]" : "v%u", value, i);
}

/* "{x, y}", with the offset added, or divided by the last part. */
static void say_parts(shader *s, const char *type, uint32_t value, uint32_t count, uint32_t offset, bool projected)
{
  say(s, "{");
  for (uint32_t i = 0; i < count; i++) {
    say(s, "%s(%s)", i ? ", " : "", type);
    say_part(s, value, i);
    if (projected)
      say(s, " / v%u.c[%u]", value, count);
    if (offset)
      say(s, " + (int32_t)"), say_part(s, offset, i);
  }
  say(s, "}");
}

static void say_coordinates(shader *s, const char *type, uint32_t value, uint32_t count, uint32_t offset,
                            bool projected)
{
  say(s, "(%s[3])", type);
  say_parts(s, type, value, count, offset, projected);
}

/* The texel that `texel_` is, as the instruction's result. */
static void say_result(shader *s, uint32_t id)
{
  const uint32_t type = type_of(s, id), scalar = scalar_of(s, type);
  for (uint32_t i = 0; i < (is_vector(s, type) ? elements(s, type) : 1); i++) {
    say_part(s, id, i);
    say(s, is_float(s, type) ? " = (t%u)texel_.c[%u]; " : " = (t%u)xb_bits_of(texel_.c[%u]); ", scalar, i);
  }
  say(s, "}\n");
}

void say_texel(shader *s, uint32_t site, const uint32_t *at, uint32_t n)
{
  const uint32_t op = xb_spirv_op(at), image = image_type(s, word(at, n));
  const uint32_t offset =
      op == SpvOpImageFetch || op == SpvOpImageRead ? operand(at, 5, SpvImageOperandsConstOffsetMask) : 0;
  say(s, "runtime->texel(&site%u, v%u, ", site, word(at, n));
  say_coordinates(s, "int32_t", word(at, n + 1), dimensions(s, image), offset, false);
  say(s, ")");
}

static void sample(shader *s, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at), id = word(at, 2), of = word(at, 3), image = image_type(s, of);
  const bool projected = op == SpvOpImageSampleProjExplicitLod || op == SpvOpImageSampleProjImplicitLod;
  if (!check_shape(s, image))
    return;
  const uint32_t offset = operand(at, 5, SpvImageOperandsConstOffsetMask);
  say(s, "{ const xb_texel texel_ = xb_sample(v%u, ", of);
  say_coordinates(s, "float", word(at, 4), dimensions(s, image), 0, projected);
  say(s, ", ");
  if (offset)
    say_coordinates(s, "int32_t", offset, dimensions(s, image), 0, false);
  else
    say(s, "(int32_t[3]){0}");
  say(s, "); ");
  say_result(s, id);
}

static void gather(shader *s, const uint32_t *at)
{
  const uint32_t of = word(at, 3), image = image_type(s, of);
  const uint32_t fixed = operand(at, 6, SpvImageOperandsConstOffsetMask);
  const uint32_t offset = fixed ? fixed : operand(at, 6, SpvImageOperandsOffsetMask);
  if (!check_shape(s, image))
    return;
  const uint32_t four = operand(at, 6, SpvImageOperandsConstOffsetsMask);
  if (four) {
    say(s, "{ xb_texel texel_; for (int k = 0; k < 4; k++) texel_.c[k] = xb_gather(v%u, ", of);
    say_coordinates(s, "float", word(at, 4), dimensions(s, image), 0, false);
    say(s, ", (int32_t[3]){");
    for (uint32_t i = 0; i < dimensions(s, image); i++)
      say(s, "(int32_t)v%u.c[k].c[%u], ", four, i);
    say(s, "}, v%u).c[3]; ", word(at, 5)); /* the texel itself: above left */
    say_result(s, word(at, 2));
    return;
  }
  say(s, "{ const xb_texel texel_ = xb_gather(v%u, ", of);
  say_coordinates(s, "float", word(at, 4), dimensions(s, image), 0, false);
  say(s, ", ");
  if (offset)
    say_coordinates(s, "int32_t", offset, dimensions(s, image), 0, false);
  else
    say(s, "(int32_t[3]){0}");
  say(s, ", v%u); ", word(at, 5));
  say_result(s, word(at, 2));
}

/* By integer coordinates: OpImageFetch, OpImageRead. */
static void fetch(shader *s, const uint32_t *at)
{
  const uint32_t image = image_type(s, word(at, 3));
  if (!check_shape(s, image))
    return;
  const bool coherent = is_coherent_image(s, at, word(at, 3), 5);
  say(s, coherent ? "{ XB_ANEW(); " : "{ ");
  if (is_watched(s)) {
    const uint32_t site = texel_site(s, word(at, 3), XB_CPU_LOAD, coherent);
    if (!waits_for_select(s, word(at, 2), site))
      say_texel(s, site, at, 3), say(s, "; ");
  }
  say(s, "const xb_texel texel_ = xb_fetch(v%u, ", word(at, 3));
  say_coordinates(s, "int32_t", word(at, 4), dimensions(s, image), operand(at, 5, SpvImageOperandsConstOffsetMask),
                  false);
  say(s, "); ");
  say_result(s, word(at, 2));
}

static void store(shader *s, const uint32_t *at)
{
  const uint32_t image = image_type(s, word(at, 1)), value = word(at, 3), type = type_of(s, value);
  if (!check_shape(s, image))
    return;
  const bool coherent = is_coherent_image(s, at, word(at, 1), 4);
  say(s, "{ xb_texel texel_ = {0}; ");
  if (is_watched(s))
    say_texel(s, texel_site(s, word(at, 1), XB_CPU_STORE, coherent), at, 1), say(s, "; ");
  for (uint32_t i = 0; i < (is_vector(s, type) ? elements(s, type) : 1); i++) {
    say(s, "texel_.c[%u] = ", i);
    say(s, is_float(s, type) ? "(float)" : "xb_float_of(");
    say_part(s, value, i);
    say(s, is_float(s, type) ? "; " : "); ");
  }
  say(s, "xb_write(v%u, ", word(at, 1));
  say_coordinates(s, "int32_t", word(at, 2), dimensions(s, image), 0, false);
  say(s, coherent ? ", texel_); XB_ANEW(); }\n" : ", texel_); }\n");
}

static void query_size(shader *s, const uint32_t *at)
{
  static const char *const names[] = {"width", "height", "depth"};
  for (uint32_t i = 0; i < dimensions(s, image_type(s, word(at, 3))); i++) {
    say_part(s, word(at, 2), i);
    say(s, " = v%u->%s; ", word(at, 3), names[i]);
  }
  say(s, "\n");
}

static void point(shader *s, const uint32_t *at)
{
  const uint32_t image = pointee(s, word(at, 3));
  if (!check_shape(s, image))
    return;
  say(s, "v%u = xb_place(ld%u(v%u), ", word(at, 2), image, word(at, 3));
  say_coordinates(s, "int32_t", word(at, 4), dimensions(s, image), 0, false);
  say(s, ");\n");
  if (!is_watched(s))
    return;
  say(s, "x%u = (xb_point){ld%u(v%u), ", word(at, 2), image, word(at, 3));
  say_parts(s, "int32_t", word(at, 4), dimensions(s, image), 0, false);
  say(s, "};\n");
}

bool images(shader *s, const uint32_t *at)
{
  switch (xb_spirv_op(at)) {
  case SpvOpSampledImage: say(s, "v%u = (xb_sampled){v%u, v%u};\n", word(at, 2), word(at, 3), word(at, 4)); return true;
  case SpvOpImage: say(s, "v%u = v%u.image;\n", word(at, 2), word(at, 3)); return true;
  case SpvOpImageSampleImplicitLod:
  case SpvOpImageSampleExplicitLod:
  case SpvOpImageSampleProjImplicitLod:
  case SpvOpImageSampleProjExplicitLod: sample(s, at); return true;
  case SpvOpImageGather: gather(s, at); return true;
  case SpvOpImageFetch:
  case SpvOpImageRead: fetch(s, at); return true;
  case SpvOpImageWrite: store(s, at); return true;
  case SpvOpImageQuerySize:
  case SpvOpImageQuerySizeLod: query_size(s, at); return true;
  case SpvOpImageQueryLevels: say(s, "v%u = 1;\n", word(at, 2)); return true;
  case SpvOpImageTexelPointer: point(s, at); return true;
  default: return false;
  }
}
