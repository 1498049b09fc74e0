package org.relaxvm.interoptvm.call;

import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.interoptvm.abi.DlTensor;
import org.relaxvm.interoptvm.abi.ObjectBlock;

/**
 * The Java objects that compiled code holds in one thread, by the addresses that stand for them. A
 * stack like {@link CallMemory}: an address is valid until the call that gave it out ends. An
 * object is borrowed, or owned by the table, which then lets go of it at that end unless it was
 * taken out.
 *
 * <p>Confined to one thread, except that tasks of a parallel launch read what the table of the
 * thread that launched them held then. That thread runs a task too, and may add objects meanwhile.
 */
final class ObjectTable {
  private final CallMemory memory = new CallMemory();
  // Volatile, so that other threads find everything in an array that replaced another.
  private volatile @Nullable Object[] objects = new Object[16];
  private boolean[] owned = new boolean[16];
  private int count;

  // Blocks that stand for nothing any more, of tensors of few axes. Those before the first one
  // belong to calls further out, as objects before the first index do.
  private final ArrayList<Long> free = new ArrayList<>();
  private int firstFree;
  private int firstIndex;

  /** The state of the table before a call. */
  record Mark(int count, int chunk, long top, int firstIndex, int firstFree) {}

  /**
   * The address that stands for an object from now on. That of a tensor is one for compiled code
   * too, if the tensor is compact and, on the host, where compiled code can reach it.
   */
  long add(@Nullable Object object, boolean owner) {
    if (count == objects.length) {
      objects = Arrays.copyOf(objects, 2 * count);
      owned = Arrays.copyOf(owned, 2 * count);
    }
    int rank = ObjectBodies.rank(object);
    if (rank <= DlTensor.FEW_AXES && free.size() > firstFree) {
      return addAt(free.removeLast(), object, owner);
    }
    long address = memory.allocate(ObjectBodies.bytes(Math.max(rank, DlTensor.FEW_AXES)));
    put(address, count, object, owner);
    count++;
    return address;
  }

  private long addAt(long address, @Nullable Object object, boolean owner) {
    put(address, ObjectBlock.index(address), object, owner);
    return address;
  }

  private void put(long address, int index, @Nullable Object object, boolean owner) {
    ObjectBodies.put(address, object, index);
    objects[index] = object;
    owned[index] = owner;
  }

  /**
   * Forgets an object that nothing refers to any more, and lets go of it if the table owns it. The
   * address may stand for another one later.
   */
  void drop(long address) {
    int index = ObjectBlock.index(address);
    if (index < firstIndex || index >= count) {
      return;
    }
    Object object = objects[index];
    boolean owner = owned[index];
    objects[index] = null;
    owned[index] = false;
    if (ObjectBodies.rank(object) <= DlTensor.FEW_AXES) {
      free.add(address);
    }
    if (owner) {
      Managed.release(object);
    }
  }

  /** Begins a call, whose objects {@link #release} forgets. */
  Mark mark() {
    Mark mark = new Mark(count, memory.chunk(), memory.top(), firstIndex, firstFree);
    firstIndex = count;
    firstFree = free.size();
    return mark;
  }

  /** Whether an address is one that this table gave out. */
  boolean holds(long address) {
    return memory.holds(address, ObjectBlock.BYTES) && ObjectBlock.isAt(address);
  }

  /** The object of an address that {@link #holds} accepts, borrowed. */
  @Nullable Object get(long address) {
    int index = ObjectBlock.index(address);
    return index >= 0 && index < count ? objects[index] : null;
  }

  /** The object of an address with an owner for the caller. */
  @Nullable Object take(long address) {
    int index = ObjectBlock.index(address);
    if (index < 0 || index >= count) {
      return null;
    }
    Object object = objects[index];
    if (owned[index]) {
      objects[index] = null;
      owned[index] = false;
    } else {
      Managed.retain(object);
    }
    return object;
  }

  /** Ends a call: forgets everything that was added since it began. */
  void release(Mark mark) {
    memory.release(mark.chunk, mark.top);
    while (free.size() > firstFree) {
      free.removeLast();
    }
    firstIndex = mark.firstIndex;
    firstFree = mark.firstFree;
    Throwable failure = null;
    while (count > mark.count) {
      count--;
      Object object = objects[count];
      objects[count] = null;
      if (owned[count]) {
        owned[count] = false;
        try {
          Managed.release(object);
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
      }
    }
    FirstFailure.raise(failure);
  }
}
