/**
 * Functions of Apache TVM over objects, for packed code and remote clients: {@code ffi.*}. Not
 * here: functions over modules, which belong to the compiler.
 *
 * <p>Source: docs/spec/object-system.md, sections 2 and 4.
 */
@NullMarked
package org.relaxvm.objects.function;

import org.jspecify.annotations.NullMarked;
