package org.relaxvm.interoptvm.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.Downcall;
import org.relaxvm.interoptvm.abi.RawMemory;
import org.relaxvm.interoptvm.abi.TypeCode;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * A function that Apache TVM 0.20 or older compiled: its arguments are an array of values and one
 * of type codes. Functions of 0.6 take the first three parameters and ignore the others.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.6.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why is an object that an old library made
 * rejected?"
 */
public final class ValueFunction extends NativeFunction {
  private static final MethodHandle CALL =
      Downcall.of(
          FunctionDescriptor.of(
              JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  private static final long NO_RESOURCE = 0;

  /**
   * A function at an address.
   *
   * @param name for messages
   * @param binding what its code may call
   */
  public ValueFunction(String name, MemorySegment address, Binding binding) {
    super(name, address, binding);
  }

  @Override
  boolean invoke(
      NativeThread thread,
      MemorySegment function,
      StackRoom room,
      CallArgs args,
      CallResult result) {
    int count = args.count();
    long cells = CellWriter.writeArguments(thread, args);
    ValueArrays arrays = ValueArrays.allocate(thread, count + 1);
    for (int i = 0; i < args.count(); i++) {
      arrays.write(thread, i, cells + (long) i * Cell.BYTES);
    }
    long value = arrays.value(count);
    long code = arrays.code(count);
    RawMemory.putLong(value, 0);
    RawMemory.putInt(code, TypeCode.NULL);
    thread.error.clear();
    room.require(thread);
    if (call(function, arrays, count, value, code) != 0) {
      return false;
    }
    long resultCell = cells + (long) count * Cell.BYTES;
    ValueArrays.read(value, code, resultCell);
    int type = Cell.type(resultCell);
    if (type >= TypeIndex.OBJECT && !thread.objects.holds(Cell.word(resultCell))) {
      throw new CallException(
          ErrorKind.TYPE,
          "compiled code returned an object of type code "
              + RawMemory.getInt(code)
              + " that it made itself; RelaxVM takes scalars, strings, bytes and tensors from it,"
              + " and the objects that it was given");
    }
    if (type != TypeIndex.NONE) {
      CellReader.takeResult(thread, resultCell, result);
    }
    return true;
  }

  private static int call(
      MemorySegment function, ValueArrays arrays, int count, long value, long code) {
    try {
      return (int)
          CALL.invokeExact(
              function, arrays.values(), arrays.codes(), count, value, code, NO_RESOURCE);
    } catch (Throwable e) {
      throw Downcall.raised(e);
    }
  }
}
