/** Shaders for kernels of the kernel IR: how GLSL is written, and how it becomes SPIR-V. */
@NullMarked
package org.relaxvm.backendvulkan.kernels;

import org.jspecify.annotations.NullMarked;
