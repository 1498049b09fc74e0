package org.relaxvm.interoptvm.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.Downcall;
import org.relaxvm.interoptvm.abi.RawMemory;

/**
 * What compiled code calls back (docs/spec/native-library.md, sections 3.1 and 6.4). Nothing may
 * leave these methods but their result: what they throw becomes the thread's pending error.
 */
final class CallBacks {
  static final int OK = 0;
  private static final int FAILED = -1;
  private static final int CPU = DeviceTypeCodes.codeOf("cpu");
  private static final Object ONCE = new Object();
  private static final MethodHandle INIT = Downcall.of(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

  private CallBacks() {}

  /** Calls the function of a handle. */
  static int functionCall(long function, long args, int count, long result) {
    try {
      NativeThread thread = NativeThread.current();
      // The cell may hold anything: it is written only.
      Cell.put(result, 0, 0);
      call(thread, function, args, count, result);
      return OK;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  /** Reports an error. */
  static void errorSetRaised(long kind, long message) {
    try {
      NativeThread.current().error.set(RawMemory.string(kind), RawMemory.string(message));
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Reports an error whose message comes in parts. */
  static void errorSetRaisedFromParts(long kind, long parts, int count) {
    try {
      StringBuilder message = new StringBuilder();
      for (int i = 0; i < count; i++) {
        long part = RawMemory.getLong(parts + 8L * i);
        if (part != 0) {
          message.append(RawMemory.string(part));
        }
      }
      NativeThread.current().error.set(RawMemory.string(kind), message.toString());
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Finds a function by name. */
  static int lookUp(long library, long name, long out) {
    try {
      RawMemory.putLong(out, binding(NativeThread.current()).handleOf(RawMemory.string(name)));
      return OK;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  /** Makes a handle that is made once. */
  static int handleInitOnce(long address, long init) {
    try {
      if (RawMemory.getLongAcquire(address) != 0) {
        return OK;
      }
      NativeThread thread = NativeThread.current();
      int chunk = thread.memory.chunk();
      long top = thread.memory.top();
      long out = thread.memory.allocate(8);
      try {
        return initOnce(address, init, out);
      } finally {
        thread.memory.release(chunk, top);
      }
    } catch (Throwable e) {
      return fail(e);
    }
  }

  private static int initOnce(long address, long init, long out) throws Throwable {
    synchronized (ONCE) {
      if (RawMemory.getLongAcquire(address) != 0) {
        return OK;
      }
      RawMemory.putLong(out, 0);
      int code = (int) INIT.invokeExact(MemorySegment.ofAddress(init), out);
      if (code != OK) {
        return code;
      }
      long made = RawMemory.getLong(out);
      if (made == 0) {
        throw new CallException(
                ErrorKind.RUNTIME, "an initialization function of compiled code returned NULL")
            .withTvmMessage("init_func must return a non-NULL handle");
      }
      RawMemory.putLongRelease(address, made);
      return OK;
    }
  }

  /** Gives temporary memory, or NULL with a pending error. */
  static long allocateWorkspace(int deviceType, int ordinal, long bytes, int code, int bits) {
    try {
      NativeThread thread = NativeThread.current();
      return deviceType == CPU
          ? thread.workspace.allocate(bytes)
          : DeviceWorkspace.allocate(thread, deviceType, ordinal, bytes);
    } catch (Throwable e) {
      fail(e);
      return 0;
    }
  }

  /** Takes temporary memory back. */
  static int freeWorkspace(int deviceType, int ordinal, long address) {
    try {
      NativeThread thread = NativeThread.current();
      if (deviceType == CPU) {
        thread.workspace.free(address);
      } else {
        DeviceWorkspace.free(thread, address);
      }
      return OK;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  /** Runs tasks in parallel and waits for them. */
  static int parallelLaunch(long task, long data, int tasks) {
    try {
      Launch.run(NativeThread.current(), task, data, tasks);
      return OK;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  /** Waits for all tasks of a launch. */
  static int parallelBarrier(int task, long environment) {
    try {
      Launch launch = NativeThread.current().launch;
      if (launch == null) {
        throw new CallException(ErrorKind.RUNTIME, "a barrier outside of a parallel launch");
      }
      launch.awaitAll();
      return OK;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  /** Shows an element of a list in a cell. */
  static int anyListSetPackedArg(long list, int index, long args, int offset) {
    try {
      NativeThread thread = NativeThread.current();
      list(thread, list).show(thread, index, args + (long) offset * Cell.BYTES);
      return OK;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  /** Moves a result into a list. */
  static int anyListMoveFromPackedReturn(long list, int index, long args, int offset) {
    try {
      NativeThread thread = NativeThread.current();
      list(thread, list).move(thread, index, args + (long) offset * Cell.BYTES);
      return OK;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  /** Clears an element of a list. */
  static int anyListResetItem(long list, int index) {
    try {
      list(NativeThread.current(), list).reset(index);
      return OK;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  /** Takes a function of the library that is being loaded. */
  static int registerSystemLibSymbol(long name, long address) {
    try {
      SystemSymbols.register(NativeThread.current(), RawMemory.string(name), address);
      return OK;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  /** Calls the function of a handle with cells, and writes its result into one. */
  static void call(NativeThread thread, long function, long args, int count, long result) {
    @Nullable Object[] refs = new Object[count];
    long[] bits = new long[count];
    CallResult returned = new CallResult();
    try (ArgumentScope made = new ArgumentScope(count)) {
      for (int i = 0; i < count; i++) {
        long cell = args + (long) i * Cell.BYTES;
        refs[i] = CellReader.readArgument(thread, cell, made);
        bits[i] = Cell.word(cell);
      }
      Object callee = callee(thread, function);
      VmContext context = thread.context;
      CallArgs view = CallArgs.ofTagged(context, refs, bits);
      if (callee instanceof Closure && context != null) {
        context.invoke(callee, view, returned);
      } else if (callee instanceof PackedFunc known) {
        known.call(view, returned);
      } else {
        throw new CallException(
            ErrorKind.TYPE, "compiled code calls what is no function: " + callee);
      }
    } catch (Throwable e) {
      returned.setNull();
      throw e;
    }
    long scalar = returned.bits();
    CellWriter.writeResult(thread, result, returned.takeRef(), scalar);
  }

  private static @Nullable Object callee(NativeThread thread, long function) {
    if (ImportedNames.isHandle(function)) {
      return binding(thread).functionOf(function);
    }
    return thread.holds(function) ? thread.objectAt(function) : null;
  }

  private static Binding binding(NativeThread thread) {
    Binding binding = thread.binding;
    if (binding == null) {
      throw new CallException(
          ErrorKind.RUNTIME, "compiled code called back outside of a call from RelaxVM");
    }
    return binding;
  }

  private static ListView list(NativeThread thread, long address) {
    if (thread.holds(address) && thread.objectAt(address) instanceof ListView list) {
      return list;
    }
    throw new CallException(ErrorKind.VALUE, "compiled code passed a list that is none");
  }

  /** Makes an error the thread's pending one. */
  static int fail(Throwable error) {
    try {
      NativeThread.current().error.set(error);
    } catch (Throwable _) {
      // Without memory for the error there is none pending, which is told as an unknown one.
    }
    return FAILED;
  }
}
