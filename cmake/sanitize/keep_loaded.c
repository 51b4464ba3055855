/* In programs under AddressSanitizer: libraries stay loaded, so that what they hold until the end of the process is no
 * leak. Mesa 22.3 does hold some on AMD's processors: a table of the caches, reached from the driver's own data. */
int dlclose(void *library);
int dlclose(void *library)
{
  (void)library;
  return 0;
}
