# -DCONFORMANCE="STARTER;PROGRAM" -DFOLDER=FOLDER: runs the conformance suite on d3d12 under Vulkan's validation layer, which sees what
# vkd3d makes of each barrier. The layer must find nothing: no hazard in a submission or between two.
set(log ${FOLDER}/layer.log)
file(WRITE ${FOLDER}/vk_layer_settings.txt "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.report_flags = error
khronos_validation.log_filename = ${log}
")
file(REMOVE ${log})
set(ENV{VK_LAYER_SETTINGS_PATH} ${FOLDER}/vk_layer_settings.txt)
set(ENV{VK_INSTANCE_LAYERS} VK_LAYER_KHRONOS_validation)
set(ENV{VK_LAYER_ENABLES} VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT:VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT)
execute_process(COMMAND ${CONFORMANCE} d3d12 RESULT_VARIABLE result)
if(result)
  message(FATAL_ERROR "the suite ended with ${result}")
endif()
if(NOT EXISTS ${log})
  message(FATAL_ERROR "the layer was not loaded: install it (Debian: apt-get install vulkan-validationlayers)")
endif()
file(READ ${log} said)
if(NOT said STREQUAL "")
  message(FATAL_ERROR "the layer says: ${said}")
endif()
