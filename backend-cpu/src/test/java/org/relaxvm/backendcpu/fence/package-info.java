/** Kernels on tensors that end or start at an inaccessible page. */
@NullMarked
package org.relaxvm.backendcpu.fence;

import org.jspecify.annotations.NullMarked;
