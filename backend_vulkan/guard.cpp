// SPIRV-Tools and SPIRV-Cross are C++. Where memory runs out, the first one throws through its C interface, and the
// second one throws, ends the process with std::terminate, or uses the null pointer that malloc returned.
#include <csetjmp>
#include <cstdlib>
#include <exception>
#include <new>
#include <pthread.h>

namespace
{
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of what follows
int guards;
std::terminate_handler end_before; // the first guard
std::new_handler new_before;

thread_local std::jmp_buf *way_out; // of this thread's guard
thread_local bool starved;          // the libraries catch some of their exceptions, and then report something else

[[noreturn]] void leave()
{
  if (way_out)
    std::longjmp(*way_out, 1);
  if (end_before)
    end_before(); // another thread's end
  std::abort();
}

void run_out()
{
  if (!way_out && new_before) {
    new_before(); // another thread's
    return;
  }
  starved = true;
  throw std::bad_alloc();
}

void enter()
{
  pthread_mutex_lock(&lock);
  if (!guards++) {
    end_before = std::set_terminate(leave);
    new_before = std::set_new_handler(run_out);
  }
  pthread_mutex_unlock(&lock);
}

void exit_guard()
{
  pthread_mutex_lock(&lock);
  if (!--guards) {
    std::set_terminate(end_before);
    std::set_new_handler(new_before);
  }
  pthread_mutex_unlock(&lock);
}

// No object of this frame has a destructor, so that longjmp may lead here.
bool run(void (*work)(void *user), void *user)
{
  std::jmp_buf here;
  std::jmp_buf *const outer = way_out;
  volatile bool done = false;
  starved = false;
  if (!setjmp(here)) {
    way_out = &here;
    try {
      work(user);
      done = true;
    } catch (...) {
    }
  }
  way_out = outer;
  return done && !starved;
}
} // namespace

// malloc of SPIRV-Cross (CMakeLists.txt).
extern "C" void *vk_malloc(std::size_t bytes)
{
  void *memory = std::malloc(bytes);
  if (memory)
    return memory;
  starved = true;
  throw std::bad_alloc();
}

extern "C" bool vk_guarded(void (*work)(void *user), void *user) noexcept
{
  enter();
  const bool done = run(work, user);
  exit_guard();
  return done;
}
