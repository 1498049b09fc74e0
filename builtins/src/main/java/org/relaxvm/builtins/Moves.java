package org.relaxvm.builtins;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.engine.RegisterMove;

/** The builtins that only move registers. */
enum Moves implements RegisterMove {
  /** Gives its argument back: another owner of the same value. */
  COPY {
    @Override
    public int argumentCount() {
      return 1;
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      args.requireCount("vm.builtin.copy(x)", 1);
      result.setArgument(args, 0);
    }
  },

  /** Null: overwrites a register, and so kills what was in it. */
  NULL_VALUE {
    @Override
    public int argumentCount() {
      return 0;
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      args.requireCount("vm.builtin.null_value()", 0);
    }
  }
}
