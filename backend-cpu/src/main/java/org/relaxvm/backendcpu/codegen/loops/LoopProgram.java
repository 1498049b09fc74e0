package org.relaxvm.backendcpu.codegen.loops;

import java.util.List;
import java.util.Map;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Var;

/**
 * A kernel as loops.
 *
 * @param function what it was made from
 * @param buffers the flat buffers of its parameters that are tensors, in their order
 * @param variables scalar parameters and symbolic extents, strides and offsets
 * @param body what it does
 * @param checks by load, for those that may be out of bounds; compared by identity
 */
public record LoopProgram(
    PrimFunc function,
    List<Buffer> buffers,
    List<Var> variables,
    Node body,
    Map<BufferLoad, List<IndexCheck>> checks) {}
