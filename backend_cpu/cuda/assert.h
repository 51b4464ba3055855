/* A failed assertion ends the launch, with its text and place. May be included again, with another NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : xb_cpu::fail("assert(" #condition ")", __FILE__, __LINE__))
#endif
