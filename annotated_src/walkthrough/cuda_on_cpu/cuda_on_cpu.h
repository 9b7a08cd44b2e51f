// CUDA on the CPU: what a kernel's source needs, so that a C++ compiler takes it and a machine without a card runs it.
//
//   a thread     is a fiber: a stack of its own, and a place to go on from
//   a block      runs alone, on one thread of the operating system; blocks follow one another
//   a barrier    puts the fiber to sleep until all have come
//   a shuffle    puts it to sleep until all lanes of its mask have come; then values change hands
//   __shared__   is thread_local: one copy, and all of it lies in one stretch of memory, which is filled with 0xff
//                (NaN, -1) before each block, as a card promises nothing about it
//
// One fiber runs at a time, as far as it gets, and the first in `order` that can run goes next. Three orders (ascending,
// descending, shuffled) make one warp hurry ahead of another in different ways. A kernel without races gives the same
// bits in each; one that lacks a barrier mostly does not.
//
// What a card would leave undefined, or hang on, ends the launch with a message: a barrier that some threads never
// reach, a shuffle whose lanes do not all come, an address outside of the arrays, a write behind the shared memory.
//
// Time, caches, bank conflicts and the memory model are not shown. Linux only: fibers are ucontext, shared memory is
// found by dl_iterate_phdr.
#pragma once

#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// -- the words of the language -----------------------------------------------------------------------------------------

#define __global__
#define __device__
#define __host__
#define __constant__ static
// Unlike `static` it may follow `extern`. (constinit: no constructor runs at the first use.)
#define __shared__ constinit thread_local
#define __forceinline__ inline
#define __launch_bounds__(...)

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

// Of the fiber that runs.
inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;
constexpr int warpSize = 32;

namespace cuda_on_cpu {

constexpr size_t kStack = 64 * 1024;
// What no thread has written.
constexpr unsigned char kUnwritten = 0xff;

// -- what a launch is given, and what it leaves -----------------------------------------------------------------------

enum Order { ASCENDING, DESCENDING, SHUFFLED };

// Plain, so that Python's ctypes can fill it in.
struct Launch {
  unsigned grid[3], block[3];
  unsigned shared_bytes;
  int order;
  unsigned seed;
  int traced;
};

// An array on the host that the kernel gets a pointer to.
struct Array {
  void* data;
  size_t bytes;
  const char* name;
  // Not const: the kernel's copy goes back.
  int written;
};

// One row for each lane of a shuffle, and one for each barrier (thread -1) that let a block go on.
struct Row {
  int block, step, thread, line;
  double gave, got;
};

inline std::string error;
inline std::vector<Row> trace;
// The shared memory at each barrier, one after the other.
inline std::vector<unsigned char> snapshots;

// -- fibers -----------------------------------------------------------------------------------------------------------

enum State { READY, AT_BARRIER, AT_WARP, DONE };

// Where a thread waits.
struct Place {
  const char* name;
  const char* file;
  int line;
  bool operator==(const Place& other) const {
    return line == other.line && !strcmp(name, other.name) && !strcmp(file, other.file);
  }
};

struct Fiber {
  ucontext_t context;
  uint3 thread;
  unsigned lane, warp;
  State state;
  Place place;
  // What is exchanged at a shuffle: who takes part, what is given, from whom it is taken, what came.
  unsigned mask, source;
  uint64_t sent, received;
  // The same as a number, for the trace.
  double gave;
  // What a barrier is told: the predicate of __syncthreads_count.
  int predicate;
};

// The launch that runs. Not thread_local: that would make it shared memory.
struct Machine {
  const char* kernel;
  Launch launch;
  std::vector<Fiber> fibers;
  std::vector<unsigned> order;
  // order[position_of[i]] is fiber i
  std::vector<unsigned> position_of;
  // Nobody before this position can run.
  unsigned position;
  unsigned current;
  ucontext_t scheduler;
  std::function<void()> body;
  bool failed;
  int step;
  // Of the predicates at the last barrier.
  int count, all, any;
  unsigned char* shared;
  size_t shared_bytes;
};
inline Machine machine;

inline Fiber& self() {
  return machine.fibers[machine.current];
}

inline const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

inline std::string format(const char* text, ...) {
  char buffer[1000];
  va_list values;
  va_start(values, text);
  vsnprintf(buffer, sizeof buffer, text, values);
  va_end(values);
  return buffer;
}

inline std::string name_of(const uint3& index) {
  return format("(%u, %u, %u)", index.x, index.y, index.z);
}

inline std::string name_of(const Place& place) {
  return format("%s (%s:%d)", place.name, base_name(place.file), place.line);
}

inline void report(const std::string& what) {
  if (!machine.failed) error = format("%s, block %s: ", machine.kernel, name_of(blockIdx).c_str()) + what;
  machine.failed = true;
}

// Ends the launch from within a fiber, which never runs again.
inline void fail(const std::string& what) {
  report(format("thread %s: ", name_of(threadIdx).c_str()) + what);
  setcontext(&machine.scheduler);
}

inline void sleep(State state, const Place& place) {
  Fiber& fiber = self();
  fiber.state = state;
  fiber.place = place;
  swapcontext(&fiber.context, &machine.scheduler);
}

inline void run_fiber() {
  machine.body();
  self().state = DONE;
  setcontext(&machine.scheduler);
}

inline void wake(unsigned index) {
  machine.fibers[index].state = READY;
  machine.position = std::min(machine.position, machine.position_of[index]);
}

// -- warps ------------------------------------------------------------------------------------------------------------

// Lets a group of lanes go on if all its members have come to the same place. Members that have returned, or that a
// block of this size does not have, are not waited for; nobody can take a value from them.
inline void release_warp(unsigned warp, unsigned mask) {
  const unsigned first = warp * warpSize;
  unsigned present = 0;
  const Place* place = nullptr;
  for (unsigned lane = 0; lane < 32 && first + lane < machine.fibers.size(); ++lane) {
    const Fiber& fiber = machine.fibers[first + lane];
    if (!(mask >> lane & 1) || fiber.state == DONE) continue;
    if (fiber.state != AT_WARP || fiber.mask != mask) return;
    if (place && !(*place == fiber.place)) return;
    place = &fiber.place;
    present |= 1u << lane;
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(present >> lane & 1)) continue;
    Fiber& fiber = machine.fibers[first + lane];
    const bool given = present >> fiber.source & 1;
    memset(&fiber.received, kUnwritten, sizeof fiber.received);
    if (given) fiber.received = machine.fibers[first + fiber.source].sent;
    if (machine.launch.traced) {
      const double got = given ? machine.fibers[first + fiber.source].gave : NAN;
      trace.push_back({0, machine.step, int(first + lane), fiber.place.line, fiber.gave, got});
    }
    wake(first + lane);
  }
  ++machine.step;
}

// Gives `bits` to the other lanes and takes those of lane `source`.
inline uint64_t exchange(const Place& place, unsigned mask, uint64_t bits, double value, unsigned source) {
  Fiber& fiber = self();
  if (!(mask >> fiber.lane & 1)) {
    fail(format("%s: lane %u is not in its own mask 0x%08x", name_of(place).c_str(), fiber.lane, mask));
  }
  fiber.mask = mask;
  fiber.source = source;
  fiber.sent = bits;
  fiber.gave = value;
  sleep(AT_WARP, place);
  return self().received;
}

template <class T>
T shuffle(const Place& place, unsigned mask, T value, unsigned source) {
  static_assert(std::is_arithmetic<T>::value, "shuffles exchange numbers");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  bits = exchange(place, mask, bits, double(value), source);
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The lanes of a warp fall into groups of `width`; a shuffle stays in its group.
inline unsigned first_of_group(int width) {
  return self().lane & ~(unsigned(width) - 1);
}

// -- blocks -----------------------------------------------------------------------------------------------------------

inline void barrier(const Place& place, int predicate) {
  self().predicate = predicate;
  sleep(AT_BARRIER, place);
}

// Why nobody can run, in words.
inline std::string stuck() {
  struct Group {
    std::string where;
    unsigned count;
    std::string first;
  };
  std::vector<Group> groups;
  bool at_warp = false;
  for (const Fiber& fiber : machine.fibers) {
    std::string where = "returned";
    if (fiber.state != DONE) where = "wait at " + name_of(fiber.place);
    if (fiber.state == AT_WARP) where += format(" with mask 0x%08x", fiber.mask);
    at_warp |= fiber.state == AT_WARP;
    auto same = [&](const Group& group) { return group.where == where; };
    auto found = std::find_if(groups.begin(), groups.end(), same);
    if (found == groups.end()) {
      groups.push_back({where, 1, name_of(fiber.thread)});
    } else {
      ++found->count;
    }
  }
  std::string text = at_warp ? "a shuffle that not all lanes of its mask reach: "
                             : "a barrier that not all threads reach: ";
  for (size_t i = 0; i < groups.size(); ++i) {
    const Group& group = groups[i];
    text += format("%s%u %s (the first: thread %s)", i ? "; " : "", group.count, group.where.c_str(),
                   group.first.c_str());
  }
  return text + ". On a card this hangs, or goes on with wrong numbers.";
}

inline void release_block() {
  const Place& place = machine.fibers[0].place;
  for (const Fiber& fiber : machine.fibers) {
    if (fiber.state != AT_BARRIER || !(fiber.place == place)) return report(stuck());
  }
  machine.count = 0;
  for (unsigned i = 0; i < machine.fibers.size(); ++i) {
    machine.count += machine.fibers[i].predicate != 0;
    wake(i);
  }
  machine.any = machine.count != 0;
  machine.all = machine.count == int(machine.fibers.size());
  if (machine.launch.traced) {
    trace.push_back({0, machine.step, -1, place.line, 0, 0});
    snapshots.insert(snapshots.end(), machine.shared, machine.shared + machine.shared_bytes);
  }
  ++machine.step;
}

// -- shared memory ----------------------------------------------------------------------------------------------------

// Touched before the segment is looked for, so that it exists.
inline thread_local char in_shared_memory;
// The dynamic part, of the size that the launch asks for; the launcher's source defines it where a kernel has one.
struct Dynamic {
  unsigned char* (*start)();
  size_t capacity;
};
inline Dynamic dynamic = {nullptr, 0};

// All thread_local variables of this library.
inline int find_segment(dl_phdr_info* library, size_t, void*) {
  const char* wanted = &in_shared_memory;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    if (library->dlpi_phdr[i].p_type != PT_TLS || !library->dlpi_tls_data) continue;
    auto* start = static_cast<unsigned char*>(library->dlpi_tls_data);
    const size_t bytes = library->dlpi_phdr[i].p_memsz;
    if (wanted < (char*)start || wanted >= (char*)start + bytes) continue;
    machine.shared = start;
    machine.shared_bytes = bytes;
    return 1;
  }
  return 0;
}

inline void check_shared_memory() {
  if (!dynamic.start) return;
  const unsigned char* start = dynamic.start();
  for (size_t i = machine.launch.shared_bytes; i < dynamic.capacity; ++i) {
    if (start[i] == kUnwritten) continue;
    return report(format("a thread wrote at byte %zu of the dynamic shared memory, which has %u bytes", i,
                         machine.launch.shared_bytes));
  }
}

// -- global memory ----------------------------------------------------------------------------------------------------

// Copies of the host's arrays, each between two pages that may not be touched.
struct Guarded {
  Array array;
  unsigned char* mapping;
  size_t mapped;
  unsigned char* data;
};
inline std::vector<Guarded> arrays;

inline void* guard(const Array& array) {
  if (!array.data) return nullptr;
  for (const Guarded& known : arrays) {
    if (known.array.data == array.data) return known.data;
  }
  const size_t page = sysconf(_SC_PAGESIZE);
  const size_t pages = (array.bytes + page - 1) / page * page;
  Guarded guarded = {array, nullptr, pages + 2 * page, nullptr};
  void* mapping = mmap(nullptr, guarded.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  guarded.mapping = static_cast<unsigned char*>(mapping);
  mprotect(guarded.mapping, page, PROT_NONE);
  mprotect(guarded.mapping + page + pages, page, PROT_NONE);
  // It ends where the forbidden page begins; what is in front of it is checked at the end.
  memset(guarded.mapping + page, kUnwritten, pages);
  guarded.data = guarded.mapping + page + pages - array.bytes;
  memcpy(guarded.data, array.data, array.bytes);
  arrays.push_back(guarded);
  return guarded.data;
}

// Back to the host.
inline void release_arrays() {
  const size_t page = sysconf(_SC_PAGESIZE);
  for (const Guarded& guarded : arrays) {
    for (unsigned char* byte = guarded.mapping + page; byte < guarded.data; ++byte) {
      if (*byte != kUnwritten) report(format("a thread wrote before the beginning of %s", guarded.array.name));
    }
    if (guarded.array.written) memcpy(guarded.array.data, guarded.data, guarded.array.bytes);
    munmap(guarded.mapping, guarded.mapped);
  }
  arrays.clear();
}

inline std::string name_of(const void* address) {
  auto* byte = static_cast<const unsigned char*>(address);
  for (const Guarded& guarded : arrays) {
    const long long past = byte - (guarded.data + guarded.array.bytes);
    if (byte < guarded.mapping || byte >= guarded.mapping + guarded.mapped) continue;
    if (past >= 0) return format("an address %lld bytes behind the end of %s", past, guarded.array.name);
    return format("an address before the beginning of %s", guarded.array.name);
  }
  return format("the address %p, where nothing is (or its stack is full)", address);
}

// A wrong address: the fiber that used it is left where it is, and the launch ends.
inline void on_bad_address(int, siginfo_t* information, void*) {
  fail("uses " + name_of(information->si_addr));
}

// Takes SIGSEGV and SIGBUS for the time of a launch. On a stack of its own, since a fiber's may be what is full.
struct Watch {
  struct sigaction before[2];
  stack_t stack_before;
  std::vector<char> stack;
  Watch() : stack(64 * 1024) {
    stack_t own = {};
    own.ss_sp = stack.data();
    own.ss_size = stack.size();
    sigaltstack(&own, &stack_before);
    struct sigaction action = {};
    action.sa_sigaction = on_bad_address;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &before[0]);
    sigaction(SIGBUS, &action, &before[1]);
  }
  ~Watch() {
    sigaction(SIGSEGV, &before[0], nullptr);
    sigaction(SIGBUS, &before[1], nullptr);
    sigaltstack(&stack_before, nullptr);
  }
};

// -- running ----------------------------------------------------------------------------------------------------------

// Fiber stacks, each above a page that may not be touched.
struct Stacks {
  size_t bytes;
  unsigned char* mapping;
  explicit Stacks(size_t count) : bytes(count * kStack) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    mapping = static_cast<unsigned char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0));
    for (size_t i = 0; i < count; ++i) mprotect(mapping + i * kStack, sysconf(_SC_PAGESIZE), PROT_NONE);
  }
  ~Stacks() { munmap(mapping, bytes); }
};

inline void arrange(std::vector<unsigned>& order, std::mt19937& random) {
  std::iota(order.begin(), order.end(), 0u);
  if (machine.launch.order == DESCENDING) std::reverse(order.begin(), order.end());
  if (machine.launch.order == SHUFFLED) std::shuffle(order.begin(), order.end(), random);
}

inline uint3 index_in(const dim3& shape, unsigned rank) {
  return {rank % shape.x, rank / shape.x % shape.y, rank / (shape.x * shape.y)};
}

inline void start_fiber(unsigned rank, const Stacks& stacks) {
  Fiber& fiber = machine.fibers[rank];
  fiber.thread = index_in(blockDim, rank);
  fiber.lane = rank % warpSize;
  fiber.warp = rank / warpSize;
  fiber.state = READY;
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = stacks.mapping + rank * kStack;
  fiber.context.uc_stack.ss_size = kStack;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, run_fiber, 0);
}

inline void run_block(const Stacks& stacks, std::mt19937& random) {
  memset(machine.shared, kUnwritten, machine.shared_bytes);
  arrange(machine.order, random);
  for (unsigned i = 0; i < machine.order.size(); ++i) {
    machine.position_of[machine.order[i]] = i;
    start_fiber(i, stacks);
  }
  machine.position = 0;
  machine.step = 0;
  unsigned returned = 0;
  while (returned < machine.fibers.size() && !machine.failed) {
    if (machine.position == machine.order.size()) {
      // Nobody can run.
      release_block();
      continue;
    }
    machine.current = machine.order[machine.position];
    Fiber& fiber = self();
    if (fiber.state != READY) {
      ++machine.position;
      continue;
    }
    threadIdx = fiber.thread;
    swapcontext(&machine.scheduler, &fiber.context);
    if (fiber.state == AT_WARP) release_warp(fiber.warp, fiber.mask);
    if (fiber.state != DONE) continue;
    ++returned;
    // Others of its warp may have waited for nobody else.
    for (unsigned lane = 0; lane < 32 && fiber.warp * 32 + lane < machine.fibers.size(); ++lane) {
      const Fiber& other = machine.fibers[fiber.warp * 32 + lane];
      if (other.state == AT_WARP) release_warp(other.warp, other.mask);
    }
  }
  if (!machine.failed) check_shared_memory();
}

inline int run(const char* kernel, const Launch& launch, std::function<void()> body) {
  machine.kernel = kernel;
  machine.launch = launch;
  machine.body = std::move(body);
  machine.failed = false;
  error.clear();
  trace.clear();
  snapshots.clear();
  in_shared_memory = 0;
  if (dynamic.start) dynamic.start();
  dl_iterate_phdr(find_segment, nullptr);
  gridDim = dim3(launch.grid[0], launch.grid[1], launch.grid[2]);
  blockDim = dim3(launch.block[0], launch.block[1], launch.block[2]);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  machine.fibers.resize(threads);
  machine.order.resize(threads);
  machine.position_of.resize(threads);

  const Stacks stacks(threads);
  std::mt19937 random(launch.seed);
  std::vector<unsigned> blocks(gridDim.x * gridDim.y * gridDim.z);
  arrange(blocks, random);
  {
    const Watch watch;
    for (unsigned block : blocks) {
      blockIdx = index_in(gridDim, block);
      const size_t traced = trace.size();
      run_block(stacks, random);
      for (size_t i = traced; i < trace.size(); ++i) trace[i].block = block;
      if (machine.failed) break;
    }
  }
  release_arrays();
  return machine.failed ? 1 : 0;
}

// -- from Python ------------------------------------------------------------------------------------------------------

// A parameter's type: f4, i8, u1, b1; V and its size for a struct; * before what is pointed to, c where that is const.
template <class T>
std::string describe() {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_pointer_v<Plain>) {
    using Target = std::remove_pointer_t<Plain>;
    using Known = std::conditional_t<std::is_void_v<Target>, char, Target>;
    const std::string target = std::is_void_v<Target> ? "V" : describe<Known>();
    return (std::is_const_v<Target> ? "c*" : "*") + target;
  } else {
    const char kind = std::is_same_v<Plain, bool>     ? 'b'
                      : std::is_floating_point_v<Plain> ? 'f'
                      : std::is_unsigned_v<Plain>       ? 'u'
                      : std::is_integral_v<Plain>       ? 'i'
                                                        : 'V';
    return kind + std::to_string(sizeof(Plain));
  }
}

template <class... Parameters>
std::string describe_all(void (*)(Parameters...)) {
  std::string all;
  ((all += describe<Parameters>() + " "), ...);
  return all;
}

// `values[i]` points to the i-th argument, as in cuLaunchKernel.
template <class... Parameters, size_t... I>
void call(void (*kernel)(Parameters...), void** values, std::index_sequence<I...>) {
  kernel(*static_cast<std::remove_reference_t<Parameters>*>(values[I])...);
}

// `how` is a Launch; `arrays` has an Array for each parameter, which names it where it is a pointer.
template <class... Parameters>
int launch(const char* name, void (*kernel)(Parameters...), const void* how, void** values, const void* arrays) {
  auto* pointers = static_cast<const Array*>(arrays);
  std::vector<void*> guarded(sizeof...(Parameters));
  for (size_t i = 0; i < guarded.size(); ++i) {
    if (!pointers[i].name) continue;
    guarded[i] = guard(pointers[i]);
    values[i] = &guarded[i];
  }
  return run(name, *static_cast<const Launch*>(how), [=] { call(kernel, values, std::index_sequence_for<Parameters...>()); });
}

}  // namespace cuda_on_cpu

// -- functions that a kernel calls ------------------------------------------------------------------------------------

// The file and line are those of the call.
#define CUDA_ON_CPU_FROM const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncthreads(CUDA_ON_CPU_FROM) {
  cuda_on_cpu::barrier({"__syncthreads", file, line}, 0);
}

inline int __syncthreads_count(int predicate, CUDA_ON_CPU_FROM) {
  cuda_on_cpu::barrier({"__syncthreads_count", file, line}, predicate);
  return cuda_on_cpu::machine.count;
}

inline int __syncthreads_or(int predicate, CUDA_ON_CPU_FROM) {
  cuda_on_cpu::barrier({"__syncthreads_or", file, line}, predicate);
  return cuda_on_cpu::machine.any;
}

inline int __syncthreads_and(int predicate, CUDA_ON_CPU_FROM) {
  cuda_on_cpu::barrier({"__syncthreads_and", file, line}, predicate);
  return cuda_on_cpu::machine.all;
}

inline void __syncwarp(unsigned mask = 0xffffffffu, CUDA_ON_CPU_FROM) {
  cuda_on_cpu::exchange({"__syncwarp", file, line}, mask, 0, 0, cuda_on_cpu::self().lane);
}

// From the lane of that number within the group; beyond its end it begins again.
template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, CUDA_ON_CPU_FROM) {
  const unsigned from = cuda_on_cpu::first_of_group(width) | (unsigned(source) & (unsigned(width) - 1));
  return cuda_on_cpu::shuffle({"__shfl_sync", file, line}, mask, value, from);
}

// From a higher lane; who would reach beyond the group keeps its own.
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, CUDA_ON_CPU_FROM) {
  const unsigned lane = cuda_on_cpu::self().lane;
  const bool inside = lane + delta < cuda_on_cpu::first_of_group(width) + width;
  return cuda_on_cpu::shuffle({"__shfl_down_sync", file, line}, mask, value, inside ? lane + delta : lane);
}

// From a lower lane.
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, CUDA_ON_CPU_FROM) {
  const unsigned lane = cuda_on_cpu::self().lane;
  const bool inside = lane >= cuda_on_cpu::first_of_group(width) + delta;
  return cuda_on_cpu::shuffle({"__shfl_up_sync", file, line}, mask, value, inside ? lane - delta : lane);
}

// From the lane whose number differs in these bits; lower groups may be read, higher ones not.
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, CUDA_ON_CPU_FROM) {
  const unsigned lane = cuda_on_cpu::self().lane, from = lane ^ unsigned(bits);
  const bool inside = from < cuda_on_cpu::first_of_group(width) + width;
  return cuda_on_cpu::shuffle({"__shfl_xor_sync", file, line}, mask, value, inside ? from : lane);
}

// A bit for each lane whose predicate is not 0.
inline unsigned __ballot_sync(unsigned mask, int predicate, CUDA_ON_CPU_FROM) {
  using cuda_on_cpu::machine;
  const cuda_on_cpu::Place place = {"__ballot_sync", file, line};
  const unsigned lane = cuda_on_cpu::self().lane;
  cuda_on_cpu::exchange(place, mask, predicate != 0, predicate != 0, lane);
  unsigned votes = 0;
  const unsigned first = cuda_on_cpu::self().warp * 32;
  for (unsigned i = 0; i < 32 && first + i < machine.fibers.size(); ++i) {
    const cuda_on_cpu::Fiber& other = machine.fibers[first + i];
    if (mask >> i & 1 && other.state != cuda_on_cpu::DONE) votes |= unsigned(other.sent & 1) << i;
  }
  // Nobody may send something else before all have counted.
  cuda_on_cpu::exchange(place, mask, predicate != 0, predicate != 0, lane);
  return votes;
}

inline int __any_sync(unsigned mask, int predicate, CUDA_ON_CPU_FROM) {
  return __ballot_sync(mask, predicate, file, line) != 0;
}

inline int __all_sync(unsigned mask, int predicate, CUDA_ON_CPU_FROM) {
  return __ballot_sync(mask, !predicate, file, line) == 0;
}

// Fibers change only where they wait, so these are atomic as they stand. Each gives what was there before.
template <class T>
T atomicAdd(T* address, T value) {
  const T before = *address;
  *address = before + value;
  return before;
}

template <class T>
T atomicMax(T* address, T value) {
  const T before = *address;
  *address = before < value ? value : before;
  return before;
}

template <class T>
T atomicMin(T* address, T value) {
  const T before = *address;
  *address = value < before ? value : before;
  return before;
}

template <class T>
T atomicExch(T* address, T value) {
  const T before = *address;
  *address = value;
  return before;
}

template <class T>
T atomicCAS(T* address, T expected, T value) {
  const T before = *address;
  if (before == expected) *address = value;
  return before;
}

inline void __threadfence() {}
inline void __threadfence_block() {}

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __int_as_float(int bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
inline int __float_as_int(float value) {
  int bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
template <class T>
T min(T a, T b) { return b < a ? b : a; }
template <class T>
T max(T a, T b) { return a < b ? b : a; }
