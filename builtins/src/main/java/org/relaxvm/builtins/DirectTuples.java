package org.relaxvm.builtins;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.engine.CallSite;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.api.engine.Registers;

/** Direct forms of making tuples and taking their fields. */
final class DirectTuples {
  private DirectTuples() {}

  static DirectCall makeTuple(CallSite site) {
    return new MakeTuple(site);
  }

  static @Nullable DirectCall getItem(CallSite site) {
    return site.count() == 2 && site.isRegister(0) && site.isConstantInt(1)
        ? new GetItem(site.register(0), site.constantBits(1), site.destination())
        : null;
  }

  record MakeTuple(CallSite site) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      @Nullable Object[] fields = new Object[site.count()];
      for (int i = 0; i < fields.length; i++) {
        fields[i] = site.value(i, refs, bits, base);
      }
      Registers.write(refs, bits, base, site.destination(), Tuple.of(fields), 0);
      return true;
    }
  }

  record GetItem(int tuple, long index, int destination) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      if (!(refs[base + tuple] instanceof Tuple fields)) {
        return false;
      }
      Object field = fields.get(index);
      ScalarTag tag = ScalarTag.of(field);
      if (tag != null && field != null) {
        Registers.write(refs, bits, base, destination, tag, tag.bitsOf(field));
      } else {
        Managed.retain(field);
        Registers.write(refs, bits, base, destination, field, 0);
      }
      return true;
    }
  }
}
