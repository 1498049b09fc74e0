package org.relaxvm.machine.arm64;

/** An operand of an instruction: a register, memory, a constant, a name or a label. */
public sealed interface Operand
    permits Address,
        Barrier,
        Condition,
        Element,
        ElementList,
        FloatImmediate,
        Gp,
        Immediate,
        Label,
        Modifier,
        Prefetch,
        Scalar,
        SystemRegister,
        Vector,
        VectorList {}
