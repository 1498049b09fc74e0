/**
 * Passes that make memory explicit: outputs of kernels get memory ({@link
 * org.relaxvm.compiler.pass.memory.CallTirRewrite}), tensors get storage, and values are let go
 * after their last use.
 *
 * <p>Source: docs/spec/passes.md, sections 9 and 10.
 */
@NullMarked
package org.relaxvm.compiler.pass.memory;

import org.jspecify.annotations.NullMarked;
