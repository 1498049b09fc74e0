package org.relaxvm.tir.stmt;

/**
 * A statement. Immutable.
 *
 * <p>Source: docs/spec/relax-ir.md, section 3.
 */
public sealed interface Stmt
    permits For,
        BlockRealize,
        BufferStore,
        Seq,
        IfThenElse,
        Let,
        CallPacked,
        Return,
        LetCall,
        LoopJump {}
