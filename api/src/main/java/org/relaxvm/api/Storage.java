package org.relaxvm.api;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.HostMemory;
import org.relaxvm.api.spi.Stream;

/**
 * A block of memory on a device with counted owners: tensors are views of it. When the last owner
 * lets go, the block returns to its allocator at once.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 11.2. Thread-safe as {@link Managed}.
 */
public final class Storage extends Managed {
  private final Device device;
  private final DeviceMemory memory;
  private final long byteSize;
  private final String scope;
  private final @Nullable Consumer<? super Storage> freer;
  private final @Nullable Stream stream;

  // In a second handle: the storage that it keeps alive.
  private final @Nullable Storage shared;

  // Of a constant: what was made from its bytes. Null as long as the bytes may change.
  private volatile @Nullable ConcurrentMap<Object, Object> derived;

  /**
   * Creates a storage over a block.
   *
   * @param byteSize bytes that tensors may use; an allocator that rounds up may offer all of them
   * @param scope the memory scope; empty means {@code global}
   * @param freer gets the storage at its last release and frees the block; null when somebody else
   *     owns the memory, such as a mapped file or a Java caller. An allocator makes its storages
   *     with {@code newStorage} instead
   * @param stream the stream that allocated the block; null when nothing asynchronous uses it
   */
  public Storage(
      Device device,
      DeviceMemory memory,
      long byteSize,
      String scope,
      @Nullable Consumer<? super Storage> freer,
      @Nullable Stream stream) {
    this(device, memory, byteSize, scope, freer, stream, null);
  }

  private Storage(
      Device device,
      DeviceMemory memory,
      long byteSize,
      String scope,
      @Nullable Consumer<? super Storage> freer,
      @Nullable Stream stream,
      @Nullable Storage shared) {
    this.device = device;
    this.memory = memory;
    this.byteSize = byteSize;
    this.scope = scope;
    this.freer = freer;
    this.stream = stream;
    this.shared = shared;
  }

  /**
   * A storage over the end of this one, which it keeps alive: host memory only, where a position in
   * a block is itself an address. Tensors over it start at offset 0.
   *
   * @param byteOffset first byte of the new storage in this one
   * @return a storage with one owner, the caller
   * @throws org.relaxvm.api.error.BackendException when the memory is not host memory
   */
  public Storage hostTail(long byteOffset) {
    HostMemory tail = new HostMemory(HostDevice.segmentOf(memory).asSlice(byteOffset));
    Storage made = new Storage(device, tail, byteSize - byteOffset, scope, null, stream, this);
    retain();
    return made;
  }

  /** The device that the memory belongs to. */
  public Device device() {
    return device;
  }

  /** The block; only its device understands it. */
  public DeviceMemory memory() {
    return memory;
  }

  /** Bytes that tensors may use. */
  public long byteSize() {
    return byteSize;
  }

  /** The memory scope; empty means {@code global}. */
  public String scope() {
    return scope;
  }

  /** The stream that allocated the block, for the allocator's reuse rule. */
  public @Nullable Stream stream() {
    return stream;
  }

  /**
   * Promises that the bytes do not change any more, for as long as the storage lives: kernels may
   * then keep what they make of them. The VM promises it for the constants of its program. There is
   * no way back. Tensors over the storage give read-only memory from now on; a segment that was
   * taken before must not be written any more.
   */
  public void markConstant() {
    if (shared != null) {
      shared.markConstant();
    } else {
      derivedValues();
    }
  }

  /** Whether the bytes do not change any more; see {@link #markConstant}. */
  public boolean isConstant() {
    return shared != null ? shared.isConstant() : derived != null;
  }

  /**
   * Something made from the bytes of a constant, such as weights in the order in which a kernel
   * reads them. It is made once, in the thread that asks first while others wait, and dropped with
   * this storage; another storage over the same memory has values of its own.
   *
   * @param key tells it from all else that is made from this storage: of a class of the caller's
   *     own, with {@code equals}
   * @param make makes it, or gives null where that is not worth keeping; must not ask this storage
   * @return what was made, by this call or an earlier one of an equal key; null when there is none
   * @throws IllegalStateException when the bytes may change
   */
  public <K, V> @Nullable V derive(K key, Function<? super K, ? extends @Nullable V> make) {
    if (!isConstant()) {
      throw new IllegalStateException(this + " is not constant: nothing made from it can be kept");
    }
    ConcurrentMap<Object, Object> values = derivedValues();
    Object value = values.get(key);
    if (value == null) {
      value = values.computeIfAbsent(key, k -> make.apply(key));
    }
    @SuppressWarnings("unchecked") // made for an equal key, by the class that owns such keys
    V made = (V) value;
    return made;
  }

  private ConcurrentMap<Object, Object> derivedValues() {
    ConcurrentMap<Object, Object> values = derived;
    if (values == null) {
      synchronized (this) {
        values = derived;
        if (values == null) {
          values = new ConcurrentHashMap<>();
          derived = values;
        }
      }
    }
    return values;
  }

  @Override
  public Storage newHandle() {
    Storage made = new Storage(device, memory, byteSize, scope, null, stream, this);
    retain();
    return made;
  }

  /** Whether an allocator gets the memory back at the end. */
  boolean returnsMemory() {
    return shared != null ? shared.returnsMemory() : freer != null;
  }

  @Override
  @Nullable Runnable contentReleaser() {
    Storage content = shared;
    return content != null && content.returnsMemory() ? content::release : null;
  }

  @Override
  protected void dispose() {
    ConcurrentMap<Object, Object> values = derived;
    if (values != null) {
      values.clear();
    }
    if (shared != null) {
      shared.release();
    } else if (freer != null) {
      freer.accept(this);
    }
  }

  @Override
  protected String describeKind() {
    return "storage";
  }

  @Override
  public String toString() {
    return "storage of " + byteSize + " bytes on " + device;
  }
}
