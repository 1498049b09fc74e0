// Copies are made when they are waited for, so that what is read too early is not there.
template <int BYTES>
static inline void rv_cp_async_bytes(void* to, const void* from, int some) {
  if ((uintptr_t)to % BYTES != 0 || (some > 0 && (uintptr_t)from % BYTES != 0)) {
    emulation::broken("an asynchronous copy is not aligned");
  }
  emulation::block->current->begun.push_back({to, from, some, BYTES});
}
static inline void rv_cp_async_commit() {
  emulation::Fiber* fiber = emulation::block->current;
  fiber->groups.push_back(std::move(fiber->begun));
  fiber->begun.clear();
}
template <int N>
static inline void rv_cp_async_wait() {
  auto& groups = emulation::block->current->groups;
  while (groups.size() > N) {
    for (const emulation::Copy& copy : groups.front()) {
      std::memset(copy.target, 0, copy.bytes);
      std::memcpy(copy.target, copy.source, copy.some);
    }
    groups.erase(groups.begin());
  }
}
