#include "scenario.h"

#include "../scenario/scenario.h"

static void run_step(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                     const void *args)
{
  (void)groups, (void)sizes;
  const struct step_args *a = args;
  const uint32_t *from = bindings[0];
  for (uint32_t i = group[0] * 64; i < group[0] * 64 + 64 && i < a->count; i++)
    ((uint32_t *)bindings[1])[i] = from[i] * a->mul + a->add;
}

static host_code step_code(void)
{
  host_code code = unit_code(2, 1, sizeof(struct step_args));
  code.run = run_step;
  host_seal(&code);
  return code;
}

static xb_code make_step(xb_device *device, xb_kernel **kernel, xb_error *err)
{
  const host_code code = step_code();
  const xb_kernel_desc desc = unit_kernel_desc(&code);
  return xb_kernel_create(device, &desc, kernel, err);
}

xb_code scenario(xb_error *err)
{
  const host_code code = step_code();
  const scenario_kernel kernels[] = {
      {.desc = unit_kernel_desc(&code), .bindings = {{0}, {.access = XB_WRITE}}, .args = {64, 1}, .indirect = true},
      {.desc = {0}}};
  const scenario_backend backend = {
      .open = {.backend = &xb_backend_host}, .step = make_step, .kernels = kernels, .last_first = true, .again = true};
  scenario_outcome o;
  scenario_run(&backend, &o);
  if (err)
    *err = o.error;
  if (o.tried_again && o.again)
    fail_msg("%s failed: %s; the work repeated: %s", o.step, o.error.message, xb_code_name(o.again));
  return o.code;
}
