static inline unsigned char* rv_launch_memory() { return (unsigned char*)emulation::block->dynamic_shared; }
