/**
 * Translation of graphs to Relax IR: order of nodes, scopes, functions, operands, symbolic extents.
 * Operators are in {@code operator}.
 */
@NullMarked
package org.relaxvm.interoponnx.convert;

import org.jspecify.annotations.NullMarked;
