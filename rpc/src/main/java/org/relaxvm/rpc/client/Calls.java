package org.relaxvm.rpc.client;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.wire.ObjectHandle;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.TensorView;
import org.relaxvm.rpc.wire.TypeIndex;
import org.relaxvm.rpc.wire.WireDevice;
import org.relaxvm.rpc.wire.WireException;

/** The requests of the protocol. Thread-safe. Source: docs/spec/rpc-protocol.md, section 2. */
public final class Calls {
  private static final String VERSION = "0.8.0";

  /** The type code of null up to TVM 0.20, where it has type 0 now and 4 is a handle. */
  private static final int OLD_NULL = 4;

  /** The type code of handles up to TVM 0.20. */
  private static final int OLD_HANDLE = 3;

  private final Conversation conversation;

  /** Requests of a conversation. */
  public Calls(Conversation conversation) {
    this.conversation = conversation;
  }

  /** The conversation. */
  public Conversation conversation() {
    return conversation;
  }

  /** Begins the session; without arguments it is one of the server's own process. */
  public void initialize(@Nullable Object... constructor) {
    conversation.request(
        PacketCode.INIT_SERVER,
        (out, values) -> {
          out.putText(VERSION);
          values.writeConstructorArguments(constructor);
        },
        (in, _) -> {
          readInitialized(in);
          return true;
        });
  }

  /** Read by hand: the first answer tells which encoding the server has. */
  private void readInitialized(PacketInput in) throws IOException {
    int count = in.readInt();
    int type = in.readInt();
    if (count == 1 && type == OLD_NULL && in.remaining() == 0) {
      throw old();
    }
    if (count != 1 || type != TypeIndex.NONE) {
      throw new WireException(
          count + " values, the first of type " + type + ", for the begin of the session");
    }
  }

  private RpcException old() {
    return conversation.refuse(
        "is a server of TVM 0.8 to 0.20, whose values have another encoding\n  expected: TVM 0.22"
            + " or newer, or RelaxVM\n  what to do: update the server");
  }

  /** A system call and its one value. */
  public @Nullable Object system(PacketCode code, @Nullable Object... args) {
    return conversation.<@Nullable Object>request(
        code,
        (_, values) -> values.writeArguments(args),
        (_, values) -> {
          @Nullable Object[] answer = values.readSequence();
          if (answer.length != 1) {
            throw new WireException(answer.length + " values for a system call, which has one");
          }
          return answer[0];
        });
  }

  /** The handle of a function by its global name; 0 where the server has none. */
  public long globalFunction(String name) {
    return conversation.request(
        PacketCode.GET_GLOBAL_FUNC,
        (_, values) -> values.writeArguments(name),
        (in, _) -> readFunction(in));
  }

  private long readFunction(PacketInput in) throws IOException {
    int count = in.readInt();
    int type = in.readInt();
    if (count == 1 && type == OLD_HANDLE) {
      throw old();
    }
    if (count != 1 || (type != TypeIndex.OPAQUE_POINTER && type != TypeIndex.NONE)) {
      throw new WireException("a function whose handle has the type " + type);
    }
    return type == TypeIndex.NONE ? 0 : in.readLong();
  }

  /** Calls a function; the values of its answer. */
  public @Nullable Object[] call(long function, @Nullable Object... args) {
    return conversation.request(
        PacketCode.CALL_FUNC,
        (out, values) -> {
          out.putLong(function);
          values.writeArguments(args);
        },
        (_, values) -> values.readSequence());
  }

  /**
   * Calls a function with bytes as its last argument, which are sent from where they are.
   *
   * @param first the arguments before them
   */
  public @Nullable Object[] callWithBytes(
      long function, MemorySegment bytes, @Nullable Object... first) {
    return conversation.request(
        PacketCode.CALL_FUNC,
        (out, values) -> {
          out.putLong(function);
          values.writeArgumentsBeforeBytes(bytes.byteSize(), first);
        },
        bytes,
        (_, values) -> values.readSequence());
  }

  /** Releases an object. */
  public void free(long handle) {
    system(PacketCode.FREE_HANDLE, new OpaquePointer(handle));
  }

  /** A system call whose value and errors concern nobody, without a wait. */
  public void submit(PacketCode code, @Nullable Object... args) {
    conversation.submit(
        Conversation.NOBODY, code, (_, values) -> values.writeArguments(args), MemorySegment.NULL);
  }

  /** Takes memory for a tensor. */
  public long allocate(TensorView tensor, @Nullable String scope) {
    Object answer = system(PacketCode.DEV_ALLOC_DATA_WITH_SCOPE, tensor, scope);
    if (answer instanceof OpaquePointer pointer) {
      return pointer.value();
    }
    throw conversation.refuse("gave no memory for a tensor, but " + answer);
  }

  /** Waits for a device. */
  public void synchronize(WireDevice device) {
    system(PacketCode.DEV_STREAM_SYNC, device, OpaquePointer.NULL);
  }

  /** Sends bytes to memory of the server. */
  public void copyTo(TensorView target, MemorySegment source) {
    conversation.request(
        PacketCode.COPY_TO_REMOTE,
        (out, values) -> {
          values.writeTensor(target);
          out.putLong(source.byteSize());
        },
        source,
        (_, values) -> values.readSequence());
  }

  /** Receives bytes of memory of the server. */
  public void copyFrom(TensorView source, MemorySegment target) {
    conversation.request(
        PacketCode.COPY_FROM_REMOTE,
        (out, values) -> {
          values.writeTensor(source);
          out.putLong(target.byteSize());
        },
        (in, _) -> {
          if (in.remaining() != target.byteSize()) {
            throw new WireException(in.remaining() + " bytes for a copy of " + target.byteSize());
          }
          in.readInto(target);
          return true;
        });
  }

  /** A module of this session as an argument. */
  public static ObjectHandle module(long handle) {
    return new ObjectHandle(TypeIndex.MODULE, handle);
  }
}
