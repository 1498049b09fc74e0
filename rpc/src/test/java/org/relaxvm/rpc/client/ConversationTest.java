package org.relaxvm.rpc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcDisconnectedException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.golden.FakePeer;
import org.relaxvm.rpc.golden.WatchedLink;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Sockets;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;

/** Submitted requests are sent in order without a wait; their errors wait for their owner. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConversationTest {
  private static final int MOST = 64;

  private static WatchedLink link(FakePeer peer) throws Exception {
    return new WatchedLink(
        Sockets.connect(peer.endpoint(), null, Duration.ofSeconds(10)), MemorySegment.NULL);
  }

  private static void submit(Conversation conversation, Object owner, long number) {
    conversation.submit(
        owner,
        PacketCode.FREE_HANDLE,
        (_, values) -> values.writeArguments(new OpaquePointer(number)),
        MemorySegment.NULL);
  }

  private static long number(FakePeer.Connection client) throws Exception {
    client.expect(PacketCode.FREE_HANDLE);
    return ((OpaquePointer) client.values()[0]).value();
  }

  @Test
  void sixtyFourAnswersMayBeOutstanding() throws Exception {
    List<Long> numbers = new ArrayList<>();
    try (FakePeer peer =
        new FakePeer(
            client -> {
              client.begin();
              // No answer before all these have come.
              for (int i = 0; i < MOST; i++) {
                numbers.add(number(client));
              }
              for (int i = 0; i < MOST; i++) {
                client.answer((Object) null);
              }
              numbers.add(number(client));
              client.answer((Object) null);
              client.expect(PacketCode.GET_GLOBAL_FUNC).handle(5);
            })) {
      Calls calls = Connecting.over(link(peer), RpcOptions.DEFAULT).calls();
      for (int i = 0; i <= MOST; i++) {
        submit(calls.conversation(), this, i);
      }
      assertThat(calls.globalFunction("f")).isEqualTo(5);
      calls.conversation().drain(this);
      peer.finish();
      assertThat(numbers).isSorted().hasSize(MOST + 1);
    }
  }

  @Test
  void aServerThatAnswersNoneOfThemIsWaitedForAtTheNextOne() throws Exception {
    try (FakePeer peer =
        new FakePeer(
            client -> {
              client.begin();
              client.awaitClose();
            })) {
      Conversation conversation =
          Connecting.over(link(peer), RpcOptions.DEFAULT).calls().conversation();
      for (int i = 0; i < MOST; i++) {
        submit(conversation, this, i);
      }
      conversation.limit(Duration.ofMillis(200));
      assertThatThrownBy(() -> submit(conversation, this, MOST))
          .hasMessageStartingWith(peer.endpoint() + " did not answer within 200 ms");
      peer.finish();
    }
  }

  @Test
  void anErrorIsKeptForItsOwnerAndTheFirstOneCounts() throws Exception {
    try (FakePeer peer =
        new FakePeer(
            client -> {
              client.begin();
              for (long i = number(client); i < 4; i = number(client)) {
                if (i == 0) {
                  client.answer((Object) null);
                } else {
                  client.error("ValueError: number " + i);
                }
              }
              client.error("ValueError: nobody cares");
              client.expect(PacketCode.GET_GLOBAL_FUNC).handle(5);
            })) {
      Calls calls = Connecting.over(link(peer), RpcOptions.DEFAULT).calls();
      Conversation conversation = calls.conversation();
      Object first = new Object();
      Object second = new Object();
      submit(conversation, first, 0);
      submit(conversation, second, 1);
      submit(conversation, first, 2);
      submit(conversation, first, 3);
      submit(conversation, Conversation.NOBODY, 4);
      assertThat(calls.globalFunction("f")).isEqualTo(5);
      conversation.drain(new Object());
      assertThatThrownBy(() -> conversation.drain(first))
          .isInstanceOf(RemoteCallException.class)
          .hasMessageStartingWith("number 2");
      conversation.drain(first);
      assertThatThrownBy(() -> conversation.drain(second)).hasMessageStartingWith("number 1");
      conversation.drain(second);
      peer.finish();
    }
  }

  @Test
  void noLimitIsLeftWhenNothingIsAwaited() throws Exception {
    try (FakePeer peer =
        new FakePeer(
            client -> {
              client.begin();
              client.expect(PacketCode.GET_GLOBAL_FUNC).handle(5);
              client.expect(PacketCode.GET_GLOBAL_FUNC).error("ValueError: no");
              number(client);
              client.answer((Object) null);
              client.expect(PacketCode.SHUTDOWN);
            })) {
      WatchedLink link = link(peer);
      Calls calls =
          Connecting.over(link, RpcOptions.DEFAULT.withCallTimeout(Duration.ofMinutes(1))).calls();
      assertThat(link.currentDeadline()).isEqualTo(Link.NEVER);
      calls.globalFunction("f");
      assertThat(link.currentDeadline()).isEqualTo(Link.NEVER);
      int before = link.deadlineCount();
      assertThatThrownBy(() -> calls.globalFunction("f")).isInstanceOf(RemoteCallException.class);
      assertThat(link.deadlineCount()).isGreaterThan(before);
      assertThat(link.currentDeadline()).isEqualTo(Link.NEVER);
      submit(calls.conversation(), this, 1);
      assertThat(link.currentDeadline()).isEqualTo(Link.NEVER);
      calls.conversation().drain(this);
      assertThat(link.currentDeadline()).isEqualTo(Link.NEVER);
      calls.conversation().close();
      peer.finish();
    }
  }

  @Test
  void whatCannotBeWrittenLeavesTheConversationUsable() throws Exception {
    try (FakePeer peer =
        new FakePeer(
            client -> {
              client.begin();
              client.expect(PacketCode.GET_GLOBAL_FUNC).handle(5);
            })) {
      Calls calls = Connecting.over(link(peer), RpcOptions.DEFAULT).calls();
      assertThatThrownBy(() -> calls.call(1, new Object()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(calls.globalFunction("f")).isEqualTo(5);
      peer.finish();
    }
  }

  /** A function may raise an error with the text of a session whose time is over. */
  @Test
  void anErrorOfASubmittedRequestIsNoAnswerOfTheNextOne() throws Exception {
    try (FakePeer peer =
        new FakePeer(
            client -> {
              client.begin();
              number(client);
              client.error("RPCSessionTimeoutError: no");
              client.expect(PacketCode.GET_GLOBAL_FUNC).handle(5);
              client.expect(PacketCode.GET_GLOBAL_FUNC).handle(6);
            })) {
      Calls calls = Connecting.over(link(peer), RpcOptions.DEFAULT).calls();
      submit(calls.conversation(), this, 1);
      assertThat(calls.globalFunction("f")).isEqualTo(5);
      assertThat(calls.globalFunction("g")).isEqualTo(6);
      assertThatThrownBy(() -> calls.conversation().drain(this))
          .isInstanceOf(RpcTimeoutException.class);
      peer.finish();
      // The time of the session is not the reason for what comes later.
      assertThatThrownBy(() -> calls.globalFunction("h"))
          .isInstanceOf(RpcDisconnectedException.class);
    }
  }

  @Test
  void whoAsksNoMoreIsForgotten() throws Exception {
    try (FakePeer peer =
        new FakePeer(
            client -> {
              client.begin();
              number(client);
              client.error("ValueError: no");
              client.expect(PacketCode.GET_GLOBAL_FUNC).handle(5);
            })) {
      Calls calls = Connecting.over(link(peer), RpcOptions.DEFAULT).calls();
      submit(calls.conversation(), this, 1);
      assertThat(calls.globalFunction("f")).isEqualTo(5);
      calls.conversation().forget(this);
      calls.conversation().drain(this);
      peer.finish();
    }
  }

  @Test
  void aFailureOfAConversationReachesAllWhoSubmit() throws Exception {
    try (FakePeer peer = new FakePeer(client -> client.begin().expect(PacketCode.FREE_HANDLE))) {
      Conversation conversation =
          Connecting.over(link(peer), RpcOptions.DEFAULT).calls().conversation();
      submit(conversation, this, 1);
      peer.finish();
      assertThatThrownBy(() -> conversation.drain(this))
          .isInstanceOf(RpcDisconnectedException.class);
      assertThatThrownBy(() -> conversation.drain(new Object()))
          .isInstanceOf(RpcDisconnectedException.class);
      assertThatThrownBy(() -> submit(conversation, this, 2))
          .isInstanceOf(RpcDisconnectedException.class)
          .hasMessage(
              "the connection to "
                  + peer.endpoint()
                  + " ended: "
                  + peer.endpoint()
                  + " closed the connection instead of answering\n"
                  + "  what to do: connect anew; what the session held on the server is gone");
    }
  }
}
