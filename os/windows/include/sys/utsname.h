#pragma once

struct utsname {
  char sysname[16], nodename[256], release[64], version[64], machine[16];
};

int uname(struct utsname *name);
