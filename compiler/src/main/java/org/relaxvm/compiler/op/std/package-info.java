/**
 * All operators of Relax together: {@link org.relaxvm.compiler.op.std.StandardOps} has them by name
 * for texts, {@link org.relaxvm.compiler.op.std.R} and {@link org.relaxvm.compiler.op.std.Nn} are
 * the way in for people who write models. The operators themselves are in the packages beside this
 * one.
 */
@NullMarked
package org.relaxvm.compiler.op.std;

import org.jspecify.annotations.NullMarked;
