/**
 * The compiled tier: bytecode functions as classes of the JVM. What lies between two calls of
 * bytecode functions is compiled; calls, returns and frames stay with the interpreter.
 */
@NullMarked
package org.relaxvm.vmcore.tier;

import org.jspecify.annotations.NullMarked;
