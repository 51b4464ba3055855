#pragma once

enum { PR_SET_PDEATHSIG = 1 };
#define prctl(option, value) ((void)(option), (void)(value), 0)
