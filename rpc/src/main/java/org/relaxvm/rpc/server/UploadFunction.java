package org.relaxvm.rpc.server;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.ValueReader;

/**
 * {@code tvm.rpc.server.upload(name, content)}: writes a file of the session. The content of a
 * packet goes to the file as it arrives, whatever its size.
 */
final class UploadFunction implements PackedFunc {
  private static final String SIGNATURE = "upload(name, content)";

  private final SessionFiles files;

  UploadFunction(SessionFiles files) {
    this.files = files;
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    args.requireCount(SIGNATURE, 2);
    MemorySegment content =
        MemorySegment.ofArray(
            args.at(1) instanceof byte[] bytes
                ? bytes
                : args.stringAt(1).getBytes(StandardCharsets.UTF_8));
    files.write(
        args.stringAt(0),
        content.byteSize(),
        (offset, target) -> MemorySegment.copy(content, offset, target, 0, target.byteSize()));
    result.setNull();
  }

  /** A call whose arguments are still in a packet. */
  void receive(PacketInput in, ValueReader reader) throws IOException {
    boolean isPair = reader.readCount() == 2;
    String name = isPair && reader.readValue() instanceof String text ? text : "";
    OptionalLong length = name.isEmpty() ? OptionalLong.empty() : reader.readContentLength();
    if (length.isEmpty()) {
      throw new CallException(
          ErrorKind.TYPE, SIGNATURE + " takes the name of a file, and a string or bytes");
    }
    files.write(name, length.getAsLong(), (offset, target) -> in.readInto(target));
  }
}
