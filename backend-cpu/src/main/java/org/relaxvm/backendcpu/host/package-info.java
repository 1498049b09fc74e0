/**
 * Host functions of the kernel IR as JVM classes: the bodies of compiled functions. {@link
 * org.relaxvm.backendcpu.host.HostFunction} is where to start reading; {@code HostCalls} numbers
 * the calls of a function, {@code HostClass} generates the class, whose code calls {@code HostRun}.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why have host functions a code generator of their
 * own?"
 */
@NullMarked
package org.relaxvm.backendcpu.host;

import org.jspecify.annotations.NullMarked;
