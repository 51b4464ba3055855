/* Copies and validates the caller's SPIR-V. */
#include "vk.h"

#include <spirv-tools/libspirv.h>
#include <spirv_cross/spirv.h>
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

/* HLSL's Buffer<float> reads texels of any format. glslang and DXC name R32f all the same, and reading a view of
 * another format is then undefined ("Format Validation" in Vulkan's chapter on textures). The words of an OpTypeImage:
 * its id, the sampled type, Dim, depth, arrayed, multisampled, sampled, format. */
static void forget_texel_formats(vk_spirv *spirv)
{
  enum { WORDS = 9, MOST = 16 };
  uint32_t *types[MOST], count = 0;
  for (size_t at = HEADER_BYTES / 4; at < spirv->count; at += spirv->words[at] >> SpvWordCountShift) {
    uint32_t *w = spirv->words + at;
    if ((w[0] & SpvOpCodeMask) == SpvOpTypeImage && w[0] >> SpvWordCountShift == WORDS && w[3] == SpvDimBuffer &&
        w[7] == 1 && count < MOST)
      types[count++] = w;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t alike = 0; /* Buffer<float> and Buffer<float4>: without their formats they would be one type, twice */
    for (uint32_t k = 0; k < count; k++)
      alike += !memcmp(types[k] + 2, types[i] + 2, (WORDS - 3) * sizeof(uint32_t));
    if (alike == 1)
      types[i][8] = SpvImageFormatUnknown;
  }
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

/* True if the module ends where an instruction ends. */
static bool is_whole(const vk_spirv *spirv)
{
  size_t at = HEADER_BYTES / 4;
  while (at < spirv->count && spirv->words[at] >> SpvWordCountShift)
    at += spirv->words[at] >> SpvWordCountShift;
  return at == spirv->count;
}

static bool allows_unknown(void)
{
  const char *allow = getenv("XB_ALLOW_NEWER_SPIRV");
  return allow && *allow && strcmp(allow, "0") != 0;
}

static xb_code refuse(const char *label, const vk_spirv *spirv, const char *message, xb_error *err)
{
  if (!is_unknown(message) || !is_whole(spirv))
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

static xb_code validate(const xb_kernel_desc *desc, uint32_t api_version, const vk_spirv *spirv, xb_error *err)
{
  const char *const label = vk_kernel_label(desc);
  validation v = {.api_version = api_version, .binary = {.code = spirv->words, .wordCount = spirv->count}};
  xb_code code = XB_OK;
  if (!vk_guarded(run_validator, &v) || v.result == SPV_ERROR_OUT_OF_MEMORY)
    code = vk_no_host_memory(err, label);
  else if (v.result)
    code = refuse(label, spirv, v.diagnostic && v.diagnostic->error ? v.diagnostic->error : "it cannot be parsed", err);
  spvDiagnosticDestroy(v.diagnostic);
  spvValidatorOptionsDestroy(v.options);
  spvContextDestroy(v.context);
  return code;
}

xb_code vk_spirv_read(const xb_kernel_desc *desc, uint32_t api_version, vk_spirv *spirv, xb_error *err)
{
  *spirv = (vk_spirv){0};
  xb_code code = copy_words(desc, spirv, err);
  if (!code)
    code = validate(desc, api_version, spirv, err);
  if (!code && is_whole(spirv))
    forget_texel_formats(spirv);
  if (code || !desc->specialization_count)
    return code;
  code = vk_specialize(desc, spirv, err);
  return code ? code : validate(desc, api_version, spirv, err); /* an array of length 0, say */
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
