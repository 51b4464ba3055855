/* Saved configurations, in XDG_CONFIG_HOME/xbench/presets.json (else ~/.config/xbench). */
#ifndef XB_PRESET_H
#define XB_PRESET_H

#include "benchmarks/registry.h"
#include "machine/target.h"
#include "tune/tune.h"

/* Why no preset can be saved: there is no place for the file, or it is another program's. */
xb_code xb_presets_check(xb_error *err);
/* Saves what a tuning run found for the variant of this result, which was measured with the defaults; replaces an
 * earlier one for the same device, API, driver, source, type and size. */
xb_code xb_preset_save(const xb_result *standard, const xb_space *space, size_t candidate, const xb_gain *gain,
                       const char **path, xb_error *err);

/* Adds a configuration for each variant that has a kernel, and each target that has a preset which fits: the same
 * device or model, driver, source, element type, and at least half and at most twice its size. A preset that does not
 * fit is named on stderr, and with `said` one that does. Returns the number of configurations. */
size_t xb_presets_find(const xb_variant *const *variants, size_t variant_count, const xb_target *targets,
                       size_t target_count, xb_dtype dtype, uint64_t n, bool said, xb_configuration *found,
                       size_t most);

/* The presets of this variant and API on other devices, of the same type: those of one GPU, to be tried on another.
 * Adds candidates of the space to `candidates`, and the devices' names. Returns the new number. */
size_t xb_presets_elsewhere(const xb_result *standard, const xb_space *space, xb_arena *arena, size_t *candidates,
                            const char **names, size_t count, size_t most);

#endif
