package org.relaxvm.interoptvm.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.Downcall;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * A function of a native library. Tensors on the host are passed without a copy where they lie
 * compact on a boundary of 64 bytes, and through a copy otherwise.
 *
 * <p>Source: native ABI, section 3. Thread-safe; the library must stay loaded during calls.
 */
public final class NativeFunction implements PackedFunc {
  private static final MethodHandle CALL =
      Downcall.of(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));

  private final String name;
  private final MemorySegment address;
  private final Binding binding;

  /**
   * A function at an address.
   *
   * @param name for messages
   * @param binding what its code may call
   */
  public NativeFunction(String name, MemorySegment address, Binding binding) {
    this.name = name;
    this.address = address;
    this.binding = binding;
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    binding.requireOpen(name);
    NativeThread thread = NativeThread.current();
    binding.stackRoom().require(thread);
    CallMemory memory = thread.memory;
    ObjectTable objects = thread.objects;
    int chunk = memory.chunk();
    long top = memory.top();
    int objectCount = objects.count();
    int objectChunk = objects.chunk();
    long objectTop = objects.top();
    int copies = thread.copies.size();
    int workspaces = thread.workspace.inUse();
    Binding outerBinding = thread.binding;
    VmContext outerContext = thread.context;
    thread.binding = binding;
    thread.context = args.contextOrNull();
    boolean done = false;
    try {
      int count = args.count();
      long cells = memory.allocate((count + 1L) * Cell.BYTES);
      for (int i = 0; i < count; i++) {
        CellWriter.writeArgument(thread, cells + (long) i * Cell.BYTES, args, i);
      }
      long resultCell = cells + (long) count * Cell.BYTES;
      Cell.put(resultCell, TypeIndex.NONE, 0);
      thread.error.clear();
      if (invoke(address, cells, count, resultCell) != 0) {
        thread.workspace.freeDownTo(workspaces);
        throw thread.error.raise();
      }
      if (Cell.type(resultCell) != TypeIndex.NONE) {
        CellReader.takeResult(thread, resultCell, result);
      }
      if (thread.copies.size() > copies) {
        finishCopies(thread, copies);
      }
      done = true;
    } finally {
      thread.binding = outerBinding;
      thread.context = outerContext;
      memory.release(chunk, top);
      if (!done) {
        dropCopies(thread, copies);
      }
      objects.release(objectCount, objectChunk, objectTop);
      Reference.reachabilityFence(args);
      Reference.reachabilityFence(this);
    }
  }

  static int invoke(MemorySegment function, long cells, int count, long resultCell) {
    try {
      return (int) CALL.invokeExact(function, 0L, cells, count, resultCell);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a downcall raises nothing", e);
    }
  }

  private static void finishCopies(NativeThread thread, int from) {
    while (thread.copies.size() > from) {
      thread.copies.removeLast().finish();
    }
  }

  private static void dropCopies(NativeThread thread, int from) {
    while (thread.copies.size() > from) {
      thread.copies.removeLast().drop();
    }
  }

  @Override
  public String toString() {
    return "native function " + name;
  }
}
