/**
 * Operators on images, and floats as small integers. Each family class has the definitions and, for
 * people, functions that make calls.
 *
 * <p>Source: docs/spec/op-set.md, sections 2.9 and 3.6.
 */
@NullMarked
package org.relaxvm.compiler.op.image;

import org.jspecify.annotations.NullMarked;
