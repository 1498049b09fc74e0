/**
 * A device of CUDA that a machine without a GPU has, for tests: programs in CUDA C are compiled by
 * the C++ compiler of the machine, and the threads of a block run one after the other up to the
 * next point where they meet.
 */
@NullMarked
package org.relaxvm.backendcuda.emulation;

import org.jspecify.annotations.NullMarked;
