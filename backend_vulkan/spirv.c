/* Copies, validates and specializes the caller's SPIR-V. */
#include "vk.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 20 };

static xb_code copy_words(const xb_kernel_desc *desc, vk_spirv *spirv, xb_error *err)
{
  const char *const label = vk_kernel_label(desc);
  uint32_t magic = 0;
  if (desc->code_bytes % 4 || desc->code_bytes < HEADER_BYTES)
    return xb_fail(err, XB_INVALID, label, "%zu bytes are not SPIR-V: it has 4-byte words and a header of %d bytes",
                   desc->code_bytes, HEADER_BYTES);
  memcpy(&magic, desc->code, sizeof magic);
  if (magic != SpvMagicNumber)
    return xb_fail(err, XB_INVALID, label, "the code is not SPIR-V: it begins with 0x%08x instead of 0x%08x", magic,
                   SpvMagicNumber);
  spirv->words = malloc(desc->code_bytes);
  if (!spirv->words)
    return vk_no_host_memory(err, label);
  memcpy(spirv->words, desc->code, desc->code_bytes);
  spirv->count = desc->code_bytes / 4;
  return XB_OK;
}

/* The newest SPIR-V of a Vulkan version, with Vulkan's own rules. SPIR-V's general rules allow a block of arguments
 * without offsets, for which SPIRV-Cross (2021) reads a null pointer. */
static spv_target_env environment(uint32_t api_version)
{
  if (api_version >= VK_API_VERSION_1_3)
    return SPV_ENV_VULKAN_1_3;
  return api_version >= VK_API_VERSION_1_2 ? SPV_ENV_VULKAN_1_2 : SPV_ENV_VULKAN_1_1;
}

/* SPIRV-Tools says so about each word that it does not know, and stops there. Modules that are newer than the library
 * have such words. */
static bool is_unknown(const char *message)
{
  const bool operand = !strncmp(message, "Invalid ", 8) && strstr(message, " operand: ");
  return operand || !strncmp(message, "Invalid opcode: ", 16) || !strncmp(message, "Invalid extended instruction ", 29);
}

static bool allows_unknown(void)
{
  const char *allow = getenv("XB_ALLOW_NEWER_SPIRV");
  return allow && *allow && strcmp(allow, "0") != 0;
}

/* `whole`: the module ends where an instruction ends. */
static xb_code refuse(const char *label, bool whole, const char *message, xb_error *err)
{
  if (!is_unknown(message) || !whole)
    return xb_fail(err, XB_INVALID, label, "the code is not valid SPIR-V for this device: %s", message);
  if (allows_unknown())
    return XB_OK;
  return xb_fail(err, XB_UNSUPPORTED, label,
                 "the validator of this build (%s) is too old for this code, or the code is damaged: %s; "
                 "XB_ALLOW_NEWER_SPIRV=1 skips the validation of such code",
                 spvSoftwareVersionString(), message);
}

/* A validation, whose objects outlive an exception. */
typedef struct validation {
  uint32_t api_version;
  spv_const_binary_t binary;
  spv_context context;
  spv_validator_options options;
  spv_diagnostic diagnostic;
  spv_result_t result;
} validation;

static void run_validator(void *user)
{
  validation *v = user;
  v->result = SPV_ERROR_OUT_OF_MEMORY;
  v->context = spvContextCreate(environment(v->api_version));
  v->options = spvValidatorOptionsCreate();
  if (!v->context || !v->options)
    return;
  spvValidatorOptionsSetSkipBlockLayout(v->options, true); /* HLSL and GLSL differ here, but both are safe */
  v->result = spvValidateWithOptions(v->context, v->options, &v->binary, &v->diagnostic);
}

static xb_code validate(const xb_kernel_desc *desc, uint32_t api_version, const vk_spirv *spirv, bool whole,
                        xb_error *err)
{
  const char *const label = vk_kernel_label(desc);
  validation v = {.api_version = api_version, .binary = {.code = spirv->words, .wordCount = spirv->count}};
  xb_code code = XB_OK;
  if (!vk_guarded(run_validator, &v) || v.result == SPV_ERROR_OUT_OF_MEMORY)
    code = vk_no_host_memory(err, label);
  else if (v.result)
    code = refuse(label, whole, v.diagnostic && v.diagnostic->error ? v.diagnostic->error : "it cannot be parsed", err);
  spvDiagnosticDestroy(v.diagnostic);
  spvValidatorOptionsDestroy(v.options);
  spvContextDestroy(v.context);
  return code;
}

bool vk_spirv_is_valid(const xb_kernel_desc *desc, uint32_t api_version, const vk_spirv *spirv)
{
  xb_error ignored;
  return !validate(desc, api_version, spirv, false, &ignored);
}

/* ---- Changes of the copy ---------------------------------------------------------------------------------------- */

/* The copy's word at a place in it. */
static uint32_t *writable(const vk_spirv *spirv, const uint32_t *at)
{
  return spirv->words + (at - spirv->words);
}

static void forget_texel_formats(const vk_spirv *spirv)
{
  const xb_spirv *m = &spirv->module;
  for (uint32_t id = 1; id < m->bound; id++) {
    const uint32_t *image = xb_spirv_made(m, id, SpvOpTypeImage, XB_SPIRV_IMAGE_WORDS);
    if (image && image[XB_SPIRV_DIM] == SpvDimBuffer && image[XB_SPIRV_SAMPLED] == XB_SPIRV_IS_READ &&
        !xb_spirv_keeps_format(m, image))
      writable(spirv, image)[XB_SPIRV_FORMAT] = SpvImageFormatUnknown;
  }
}

static void write_value(uint32_t *constant, uint32_t bytes, uint64_t value)
{
  if (xb_spirv_op(constant) != SpvOpSpecConstant) {
    const uint32_t op = (uint32_t)value ? SpvOpSpecConstantTrue : SpvOpSpecConstantFalse;
    *constant = (*constant & ~(uint32_t)SpvOpCodeMask) | op;
    return;
  }
  /* A narrow value is in the low bits of a word. */
  constant[3] = bytes >= 4 ? (uint32_t)value : (uint32_t)value & ((1u << 8 * bytes) - 1);
  if (bytes == 8)
    constant[4] = (uint32_t)(value >> 32);
}

/* Writes the values of specialization constants where their defaults are. So the validator, the reflection and the
 * limits see the same values as the driver; VkSpecializationInfo would reach the driver only. Constants of one number
 * may be several: GLSL's local_size_x_id is one of its own. XB_INVALID if the module lacks one, or one has another
 * size. */
static xb_code specialize(const xb_kernel_desc *desc, const vk_spirv *spirv, xb_error *err)
{
  const xb_spirv *m = &spirv->module;
  for (uint32_t i = 0; i < desc->specialization_count; i++) {
    const xb_specialization *s = &desc->specializations[i];
    const uint32_t given = s->bytes ? s->bytes : 4;
    bool found = false;
    for (uint32_t id = 1; id < m->bound; id++) {
      const xb_spirv_id *f = &m->ids[id];
      if (!f->at || f->spec != s->id + 1 || xb_spirv_op(f->at) < SpvOpSpecConstantTrue ||
          xb_spirv_op(f->at) > SpvOpSpecConstant)
        continue;
      const uint32_t bytes = (uint32_t)xb_spirv_facts(m, f->at[1])->number; /* 4 of a bool, as in the API */
      if (given != bytes)
        return xb_fail(err, XB_INVALID, vk_kernel_label(desc),
                       "specialization constant %u has %u bytes in the code, %u in the description", s->id, bytes,
                       given);
      write_value(writable(spirv, f->at), bytes, s->value);
      found = true;
    }
    if (!found)
      return xb_fail(err, XB_INVALID, vk_kernel_label(desc),
                     "the code has no specialization constant %u, or does not use it", s->id);
  }
  return XB_OK;
}

static xb_code read_module(const xb_kernel_desc *desc, vk_spirv *spirv, xb_error *err)
{
  xb_spirv_free(&spirv->module);
  return xb_spirv_read(&spirv->module, vk_kernel_label(desc), spirv->words, spirv->count * sizeof *spirv->words, NULL,
                       0, err);
}

xb_code vk_spirv_read(const xb_kernel_desc *desc, uint32_t api_version, vk_spirv *spirv, xb_error *err)
{
  *spirv = (vk_spirv){0};
  xb_code code = copy_words(desc, spirv, err);
  const xb_code read = code ? code : read_module(desc, spirv, err);
  code = code ? code : validate(desc, api_version, spirv, !read, err); /* its message says more */
  code = code ? code : read;
  if (code)
    return code;
  forget_texel_formats(spirv);
  if (!desc->specialization_count)
    return XB_OK;
  code = specialize(desc, spirv, err);
  code = code ? code : validate(desc, api_version, spirv, true, err); /* an array of length 0, say */
  return code ? code : read_module(desc, spirv, err);
}

void vk_spirv_free(vk_spirv *spirv)
{
  xb_spirv_free(&spirv->module);
  free(spirv->words);
}

typedef struct disassembly {
  uint32_t capability;
  spv_context context;
  spv_text text;
} disassembly;

static void disassemble(void *user)
{
  disassembly *d = user;
  const uint32_t module[] = {SpvMagicNumber, 0x10000, 0, 1, 0, 2u << SpvWordCountShift | SpvOpCapability,
                             d->capability};
  d->context = spvContextCreate(SPV_ENV_VULKAN_1_3);
  if (d->context)
    spvBinaryToText(d->context, module, sizeof module / sizeof *module, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER, &d->text,
                    NULL);
}

/* SPIRV-Tools has the names, but tells them only in a disassembly: "OpCapability Float16". */
void vk_spirv_capability(uint32_t capability, char name[VK_CAPABILITY_BYTES])
{
  disassembly d = {.capability = capability};
  vk_guarded(disassemble, &d);
  if (!d.text || sscanf(d.text->str, "OpCapability %63s", name) != 1)
    snprintf(name, VK_CAPABILITY_BYTES, "%u", capability);
  spvTextDestroy(d.text);
  spvContextDestroy(d.context);
}
