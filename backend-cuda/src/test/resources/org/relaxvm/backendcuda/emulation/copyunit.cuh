// Copies are made when they are waited for, so that what is read too early is not there.
template <int BYTES>
static inline void rv_cp_async_bytes(void* to, const void* from, int some) {
  if ((uintptr_t)to % BYTES != 0 || (some > 0 && (uintptr_t)from % BYTES != 0)) {
    emulation::broken("an asynchronous copy is not aligned");
  }
  emulation::begin_copy({to, from, some, BYTES});
}
static inline void rv_cp_async_commit() { emulation::commit_copies(); }
template <int N>
static inline void rv_cp_async_wait() { emulation::wait_for_copies(N); }
