package org.relaxvm.tir.verify;

import java.util.List;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * An index that may be outside of its buffer.
 *
 * @param indices of all axes
 * @param axis the one in question
 * @param writes whether the element is written
 */
public record Access(Buffer buffer, List<PrimExpr> indices, int axis, boolean writes) {}
