package org.relaxvm.compiler.pass.memory;

import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.PrimExpr;

/** The memory that one allocation needs, or several in sequence share. */
final class StorageToken {
  final Pool pool;

  /** The block in which it was allocated; memory is shared within one block only. */
  final Object block;

  /** How many uses are still to come. */
  int uses;

  /** Its size; grows when a larger allocation takes it over. */
  PrimExpr byteSize;

  /** Whether it leaves the block, so that it cannot be shared. */
  boolean escapes;

  /** What memory it is: only memory of one pool can be shared. */
  record Pool(long device, String scope, DType dtype) {}

  StorageToken(Pool pool, Object block, PrimExpr byteSize) {
    this.pool = pool;
    this.block = block;
    this.byteSize = byteSize;
  }
}
