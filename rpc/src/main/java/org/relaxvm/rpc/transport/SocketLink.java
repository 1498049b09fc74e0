package org.relaxvm.rpc.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A plain TCP connection. Direct buffers are sent and received without a copy. */
final class SocketLink extends AbstractLink {
  private final SocketChannel channel;

  SocketLink(SocketChannel channel, String peer) {
    super(peer);
    this.channel = channel;
    Deadlines.shared().add(this);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    try {
      return channel.read(target);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  public void write(ByteBuffer first, ByteBuffer second) throws IOException {
    try {
      if (second.hasRemaining()) {
        ByteBuffer[] pair = {first, second};
        while (second.hasRemaining()) {
          channel.write(pair);
        }
      } else {
        while (first.hasRemaining()) {
          channel.write(first);
        }
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  void doClose() {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is released all the same.
    }
  }
}
