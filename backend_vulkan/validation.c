/* The Khronos validation layer. Each of its warnings and errors is printed, and the call that caused it fails. */
#include "vk.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char LAYER[] = "VK_LAYER_KHRONOS_validation";
/* Older layers free command-buffer labels from several threads without a lock, which corrupts the heap
 * (Vulkan-ValidationLayers, issue 5172). */
static const uint32_t LABELS_SINCE = VK_MAKE_API_VERSION(0, 1, 3, 243);

struct vk_validation {
  bool labels;          /* the layer can safely handle labels in command buffers */
  pthread_mutex_t lock; /* newer layers call back from their own threads */
  uint64_t count, reported;
  char text[512]; /* the first message not yet reported */
  VkDebugUtilsMessengerCreateInfoEXT messenger;
  VkValidationFeaturesEXT features;
};

static const VkValidationFeatureEnableEXT CHECKS[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
  (void)severity;
  (void)types;
  vk_validation *v = user;
  const char *text = data->pMessage ? data->pMessage : "";
  pthread_mutex_lock(&v->lock);
  if (v->count++ == v->reported)
    snprintf(v->text, sizeof v->text, "%s", text);
  fprintf(stderr, "vulkan validation: %s\n", text);
  pthread_mutex_unlock(&v->lock);
  return VK_FALSE;
}

static xb_code find_layer(const vk_loader *loader, uint32_t *version, xb_error *err)
{
  uint32_t count = 0;
  VkResult result = loader->EnumerateInstanceLayerProperties(&count, NULL);
  VkLayerProperties *layers = calloc(count + 1u, sizeof *layers);
  if (!layers)
    return vk_no_host_memory(err, "vkEnumerateInstanceLayerProperties");
  if (!result)
    result = loader->EnumerateInstanceLayerProperties(&count, layers);
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
  v->labels = version >= LABELS_SINCE;
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

const void *vk_validation_chain(vk_validation *v)
{
  return &v->features;
}

xb_code vk_validation_listen(vk_instance *instance, xb_error *err)
{
  const VkResult result = instance->vk.CreateDebugUtilsMessengerEXT(instance->handle, &instance->validation->messenger,
                                                                    NULL, &instance->messenger);
  return result ? vk_fail_made(err, "vkCreateDebugUtilsMessengerEXT", result, instance->messenger) : XB_OK;
}

bool vk_takes_labels(const vk_validation *v)
{
  return v && v->labels;
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
