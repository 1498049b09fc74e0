/**
 * Calls of compiled kernels, however they were compiled: arguments, memory that must stay,
 * temporary memory, errors.
 */
@NullMarked
package org.relaxvm.backendcpu.invocation;

import org.jspecify.annotations.NullMarked;
