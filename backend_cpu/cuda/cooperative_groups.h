/* Cooperative groups: the block, tiles of a warp, the lanes that are active together, and the grid. */
#pragma once

namespace cooperative_groups
{
class thread_block
{
public:
  void sync(XB_CPU_FILE) const { xb_cpu::runtime->barrier(XB_CPU_SYNC, 0, 1u << 31 | xb_line, xb_file, xb_line); }
  static unsigned int thread_rank() { return xb_cpu::thread_word<offsetof(xb_cpu_thread, linear)>(); }
  static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned int num_threads() { return size(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return thread_block(); }

/* Lanes of a warp, of which this one is the rank-th. */
class thread_group
{
protected:
  unsigned int lanes, rank, count;
  /* The lane of a rank. */
  unsigned int lane_of(unsigned int r) const
  {
    unsigned int left = lanes;
    for (unsigned int i = 0; i < r % count; i++)
      left &= left - 1;
    return (unsigned int)__builtin_ctz(left);
  }
  unsigned int ranks(unsigned int bits) const
  {
    unsigned int found = 0;
    for (unsigned int r = 0; r < count; r++)
      found |= (bits >> lane_of(r) & 1) << r;
    return found;
  }

public:
  thread_group(unsigned int mask, unsigned int r, unsigned int n) : lanes(mask), rank(r), count(n) {}
  unsigned int thread_rank() const { return rank; }
  unsigned int size() const { return count; }
  unsigned int num_threads() const { return count; }
  void sync(XB_CPU_FILE) const { __syncwarp(lanes, xb_file, xb_line); }
  template <class T> T shfl(T value, int from, XB_CPU_FILE) const
  {
    return xb_cpu::shuffle(lanes, value, lane_of((unsigned int)from), xb_file, xb_line);
  }
  template <class T> T shfl_up(T value, unsigned int by, XB_CPU_FILE) const
  {
    return xb_cpu::shuffle(lanes, value, lane_of(rank >= by ? rank - by : rank), xb_file, xb_line);
  }
  template <class T> T shfl_down(T value, unsigned int by, XB_CPU_FILE) const
  {
    return xb_cpu::shuffle(lanes, value, lane_of(rank + by < count ? rank + by : rank), xb_file, xb_line);
  }
  template <class T> T shfl_xor(T value, unsigned int with, XB_CPU_FILE) const
  {
    const unsigned int to = rank ^ with;
    return xb_cpu::shuffle(lanes, value, lane_of(to < count ? to : rank), xb_file, xb_line);
  }
  int any(int predicate, XB_CPU_FILE) const { return __any_sync(lanes, predicate, xb_file, xb_line); }
  int all(int predicate, XB_CPU_FILE) const { return __all_sync(lanes, predicate, xb_file, xb_line); }
  unsigned int ballot(int predicate, XB_CPU_FILE) const
  {
    return ranks(__ballot_sync(lanes, predicate, xb_file, xb_line));
  }
  template <class T> unsigned int match_any(T value, XB_CPU_FILE) const
  {
    return ranks(__match_any_sync(lanes, value, xb_file, xb_line));
  }
  template <class T> unsigned int match_all(T value, int &all, XB_CPU_FILE) const
  {
    return ranks(__match_all_sync(lanes, value, &all, xb_file, xb_line));
  }
};

class coalesced_group : public thread_group
{
public:
  explicit coalesced_group(unsigned int mask)
      : thread_group(mask, (unsigned int)__popc(mask & ((1u << xb_cpu::lane()) - 1)), (unsigned int)__popc(mask))
  {
  }
  unsigned int meta_group_size() const { return 1; }
  unsigned int meta_group_rank() const { return 0; }
};
inline coalesced_group coalesced_threads(XB_CPU_FILE) { return coalesced_group(__activemask(xb_file, xb_line)); }

/* SIZE neighbouring lanes of a parent: the block, or a larger tile. With PARENT void it has forgotten which one. */
template <unsigned int SIZE, class PARENT = void> class thread_block_tile : public thread_group
{
  template <unsigned int, class> friend class thread_block_tile;
  unsigned int tiles, tile; /* of the parent; the number of this one */
  static_assert(SIZE <= XB_CPU_WARP && (SIZE & (SIZE - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
  thread_block_tile(unsigned int parent_size, unsigned int parent_rank)
      : thread_group((SIZE == 32 ? ~0u : (1u << SIZE % 32) - 1) << (xb_cpu::lane() & ~(SIZE - 1)),
                     xb_cpu::lane() & (SIZE - 1), SIZE),
        tiles((parent_size + SIZE - 1) / SIZE), tile(parent_rank / SIZE)
  {
  }
  template <class OTHER>
  thread_block_tile(const thread_block_tile<SIZE, OTHER> &from) : thread_group(from), tiles(from.tiles), tile(from.tile)
  {
  }
  static constexpr unsigned int size() { return SIZE; }
  static constexpr unsigned int num_threads() { return SIZE; }
  unsigned int meta_group_size() const { return tiles; }
  unsigned int meta_group_rank() const { return tile; }
};
template <unsigned int SIZE, class PARENT> thread_block_tile<SIZE, PARENT> tiled_partition(const PARENT &parent)
{
  return thread_block_tile<SIZE, PARENT>(parent.num_threads(), parent.thread_rank());
}

/* All blocks. A barrier of it needs a launch with all blocks at once. */
class grid_group
{
public:
  void sync(XB_CPU_FILE) const { xb_cpu::runtime->grid_barrier(xb_file, xb_line); }
  static bool is_valid() { return true; }
  static unsigned long long block_rank()
  {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  static unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static unsigned long long size() { return num_blocks() * thread_block::size(); }
  static unsigned long long num_threads() { return size(); }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
};
inline grid_group this_grid() { return grid_group(); }

template <class G> void sync(const G &group, XB_CPU_FILE) { group.sync(xb_file, xb_line); }
} // namespace cooperative_groups
