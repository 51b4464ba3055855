/* The Khronos validation layer. Each of its warnings and errors is printed, and the call that caused it fails, unless
 * it is advice. */
#include "vk.h"

#include "core/utf8.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char LAYER[] = "VK_LAYER_KHRONOS_validation";
/* Older layers free command-buffer labels from several threads without a lock, which corrupts the heap
 * (Vulkan-ValidationLayers, issue 5172). */
static const uint32_t LABELS_SINCE = VK_MAKE_API_VERSION(0, 1, 3, 243);
/* These layers take all settings through the API; with older ones, some checks need the environment. */
static const uint32_t SETTINGS_SINCE = VK_MAKE_API_VERSION(0, 1, 4, 309);

#ifndef VK_EXT_layer_settings /* older headers */
#define VK_EXT_LAYER_SETTINGS_EXTENSION_NAME "VK_EXT_layer_settings"
#define VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT ((VkStructureType)1000496000)
typedef enum VkLayerSettingTypeEXT { VK_LAYER_SETTING_TYPE_BOOL32_EXT } VkLayerSettingTypeEXT;
typedef struct VkLayerSettingEXT {
  const char *pLayerName, *pSettingName;
  VkLayerSettingTypeEXT type;
  uint32_t valueCount;
  const void *pValues;
} VkLayerSettingEXT;
typedef struct VkLayerSettingsCreateInfoEXT {
  VkStructureType sType;
  const void *pNext;
  uint32_t settingCount;
  const VkLayerSettingEXT *pSettings;
} VkLayerSettingsCreateInfoEXT;
#endif

struct vk_validation {
  uint32_t version;     /* of the layer */
  pthread_mutex_t lock; /* newer layers call back from their own threads */
  uint64_t count, reported;
  char text[512]; /* the first message not yet reported */
  VkDebugUtilsMessengerCreateInfoEXT messenger;
  VkValidationFeaturesEXT features;
  VkLayerSettingsCreateInfoEXT settings;
};

static const char QUEUE_SUBMIT[] = "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT";
static const VkValidationFeatureEnableEXT CHECKS[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
static const VkBool32 ON = VK_TRUE;
/* The second one is off by default. Without it, the layer finds no hazards between dispatches. */
static const VkLayerSettingEXT SETTINGS[] = {
    {LAYER, "syncval_submit_time_validation", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &ON},
    {LAYER, "syncval_shader_accesses_heuristic", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &ON},
};

/* Advice is no error: about the layer's own settings, and about allocations that other drivers may refuse. */
static bool is_advice(const char *id)
{
  return !strncmp(id, "WARNING-", 8) || !strcmp(id, "VALIDATION-SETTINGS") || strstr(id, "maxMemoryAllocationSize");
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
  (void)severity;
  (void)types;
  vk_validation *v = user;
  const char *text = data->pMessage ? data->pMessage : "";
  const char *id = data->pMessageIdName ? data->pMessageIdName : "";
  const bool advice = is_advice(id);
  if (strstr(text, id)) /* older layers repeat it */
    id = "";
  const char *colon = *id ? ": " : "";
  pthread_mutex_lock(&v->lock);
  if (!advice && v->count++ == v->reported)
    snprintf(v->text, sizeof v->text, "%s%s%s", id, colon, text);
  char *printed = malloc(strlen(id) + strlen(text) + 3);
  if (printed) { /* it may have names of the code */
    sprintf(printed, "%s%s%s", id, colon, text);
    xb_make_printable(printed, '\n');
  }
  fprintf(stderr, "vulkan validation: %s\n", printed ? printed : "out of host memory");
  free(printed);
  pthread_mutex_unlock(&v->lock);
  return VK_FALSE;
}

static xb_code find_layer(const vk_loader *loader, uint32_t *version, xb_error *err)
{
  uint32_t count = 0;
  VkResult result = loader->EnumerateInstanceLayerProperties(&count, NULL);
  const uint32_t room = count;
  VkLayerProperties *layers = calloc(room + 1u, sizeof *layers);
  if (!layers)
    return vk_no_host_memory(err, "vkEnumerateInstanceLayerProperties");
  if (!result)
    result = loader->EnumerateInstanceLayerProperties(&count, layers);
  count = vk_at_most(count, room);
  bool found = false;
  for (uint32_t i = 0; i < count && !found && result >= 0; i++) {
    found = !strcmp(layers[i].layerName, LAYER);
    if (found)
      *version = layers[i].specVersion;
  }
  free(layers);
  if (result < 0)
    return vk_fail(err, "vkEnumerateInstanceLayerProperties", result);
  if (found)
    return XB_OK;
  return xb_fail(err, XB_UNAVAILABLE, "vulkan",
                 "XB_VALIDATION=1 needs the layer %s, which is not installed: "
                 "apt-get install vulkan-validationlayers",
                 LAYER);
}

/* Says once which check an older layer leaves out. */
static void note_missing_check(uint32_t version)
{
  static atomic_flag noted = ATOMIC_FLAG_INIT;
  const char *enables = getenv("VK_LAYER_ENABLES");
  if (version >= SETTINGS_SINCE || (enables && strstr(enables, QUEUE_SUBMIT)) || atomic_flag_test_and_set(&noted))
    return;
  fprintf(stderr,
          "vulkan validation: hazards between submissions are not checked: this layer (%u.%u.%u) needs the "
          "environment variable VK_LAYER_ENABLES=%s\n",
          VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version), QUEUE_SUBMIT);
}

xb_code vk_validation_create(const vk_loader *loader, vk_validation **validation, xb_error *err)
{
  uint32_t version = 0;
  const xb_code code = find_layer(loader, &version, err);
  if (code)
    return code;
  vk_validation *v = calloc(1, sizeof *v);
  if (!v)
    return vk_no_host_memory(err, "vulkan");
  pthread_mutex_init(&v->lock, NULL);
  v->version = version;
  v->messenger = (VkDebugUtilsMessengerCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity =
          VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = on_message,
      .pUserData = v,
  };
  v->features = (VkValidationFeaturesEXT){
      .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
      .pNext = &v->messenger,
      .enabledValidationFeatureCount = sizeof CHECKS / sizeof *CHECKS,
      .pEnabledValidationFeatures = CHECKS,
  };
  v->settings = (VkLayerSettingsCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
      .pNext = &v->features,
      .settingCount = sizeof SETTINGS / sizeof *SETTINGS,
      .pSettings = SETTINGS,
  };
  note_missing_check(version);
  *validation = v;
  return XB_OK;
}

void vk_validation_free(vk_validation *v)
{
  if (!v)
    return;
  pthread_mutex_destroy(&v->lock);
  free(v);
}

void vk_validation_enable(const vk_validation *v, VkInstanceCreateInfo *info)
{
  static const char *const LAYERS[] = {LAYER};
  static const char *const EXTENSIONS[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME,
                                           VK_EXT_LAYER_SETTINGS_EXTENSION_NAME};
  const bool settings = v->version >= SETTINGS_SINCE;
  info->pNext = settings ? (const void *)&v->settings : &v->features;
  info->enabledLayerCount = 1;
  info->ppEnabledLayerNames = LAYERS;
  info->enabledExtensionCount = settings ? 3 : 2;
  info->ppEnabledExtensionNames = EXTENSIONS;
}

xb_code vk_validation_listen(vk_instance *instance, xb_error *err)
{
  const VkResult result = instance->vk.CreateDebugUtilsMessengerEXT(instance->handle, &instance->validation->messenger,
                                                                    NULL, &instance->messenger);
  return result ? vk_fail_made(err, "vkCreateDebugUtilsMessengerEXT", result, instance->messenger) : XB_OK;
}

bool vk_takes_labels(const vk_validation *v)
{
  return v && v->version >= LABELS_SINCE;
}

xb_code vk_validated(vk_validation *v, xb_code code, const char *where, xb_error *err)
{
  if (!v || code)
    return code;
  pthread_mutex_lock(&v->lock);
  if (v->count > v->reported) {
    code = xb_fail(err, XB_INTERNAL, where, "validation: %llu messages, the first: %s",
                   (unsigned long long)(v->count - v->reported), v->text);
    v->reported = v->count;
  }
  pthread_mutex_unlock(&v->lock);
  return code;
}
