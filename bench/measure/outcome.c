#include "measure/outcome.h"

const char *xb_outcome_name(xb_outcome outcome)
{
  switch (outcome) {
  case XB_CELL_OK: return "ok";
  case XB_CELL_WRONG: return "wrong";
  case XB_CELL_FAILED: return "failed";
  case XB_CELL_UNSUPPORTED: return "unsupported";
  case XB_CELL_NO_COUNTERPART: return "no_counterpart";
  case XB_CELL_PENDING:
  case XB_CELL_INTERRUPTED: break;
  }
  return "interrupted";
}
