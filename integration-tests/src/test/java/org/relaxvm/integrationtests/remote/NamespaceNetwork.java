package org.relaxvm.integrationtests.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.relaxvm.integrationtests.process.ProcessRun;

/**
 * An Ethernet of hosts, each a network namespace with a cable to a bridge. The test itself is a
 * host of it. Needs the rights of root, and {@code ip}, {@code tc} and {@code ss}.
 */
final class NamespaceNetwork implements AutoCloseable {
  /** Distinguishes networks of processes that run at the same time, within 15 characters. */
  private static final long NUMBER = ProcessHandle.current().pid() % 50_000;

  private static final String BRIDGE = "rvb" + NUMBER;
  private static final String SUBNET = "10.213." + NUMBER % 200;

  private static final Pattern ACKNOWLEDGED = Pattern.compile("bytes_acked:(\\d+)");

  private final List<Host> hosts = new ArrayList<>();

  private NamespaceNetwork() {}

  /**
   * Makes the network, without hosts.
   *
   * @throws IOException when this machine does not allow it, saying why
   */
  static NamespaceNetwork create() throws IOException, InterruptedException {
    NamespaceNetwork network = new NamespaceNetwork();
    try {
      ip("link add " + BRIDGE + " type bridge");
      ip("addr add " + SUBNET + ".1/24 dev " + BRIDGE);
      ip("link set " + BRIDGE + " up");
      return network;
    } catch (IOException e) {
      network.close();
      throw e;
    }
  }

  /** Adds a host. */
  Host host() throws IOException, InterruptedException {
    Host host = new Host(hosts.size() + 2);
    hosts.add(host);
    host.connect();
    return host;
  }

  /** Ends the processes of all hosts, and removes hosts and network. */
  @Override
  public void close() throws IOException, InterruptedException {
    for (Host host : hosts) {
      host.close();
    }
    runQuietly("ip link del " + BRIDGE);
  }

  /** One of the hosts. */
  static final class Host {
    private final String name;
    private final String cable;
    private final String address;
    private final List<Process> processes = new ArrayList<>();

    private Host(int number) {
      name = "rvn" + NUMBER + "-" + number;
      cable = "rvc" + NUMBER + "-" + number;
      address = SUBNET + "." + number;
    }

    private void connect() throws IOException, InterruptedException {
      ip("netns add " + name);
      ip("link add " + cable + " type veth peer name eth0 netns " + name);
      ip("link set " + cable + " master " + BRIDGE + " up");
      ip("-n " + name + " addr add " + address + "/24 dev eth0");
      ip("-n " + name + " link set eth0 up");
      ip("-n " + name + " link set lo up");
    }

    /** The IPv4 address. */
    String address() {
      return address;
    }

    /**
     * Starts a JVM on this host and waits for its first line.
     *
     * @param arguments of {@code java}
     */
    Service start(List<String> arguments) throws IOException {
      List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", name));
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(arguments);
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      processes.add(process);
      String line =
          new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
      if (line == null) {
        throw new IOException(String.join(" ", command) + " ended without a line");
      }
      return new Service(process, line);
    }

    /** Pulls the cable at the bridge: the interfaces stay up, and nothing arrives any more. */
    void cut() throws IOException, InterruptedException {
      ip("link set " + cable + " nomaster");
    }

    /** Plugs the cable in. */
    void mend() throws IOException, InterruptedException {
      ip("link set " + cable + " master " + BRIDGE);
    }

    /** Limits what arrives at the host to 8 kbit/s. */
    void slow() throws IOException, InterruptedException {
      run("tc qdisc add dev " + cable + " root tbf rate 8kbit burst 1600 latency 50ms");
    }

    /** Ends {@link #slow}. */
    void fast() throws IOException, InterruptedException {
      run("tc qdisc del dev " + cable + " root");
    }

    /** The open connections of the host. */
    long connections() throws IOException, InterruptedException {
      return run("ip netns exec " + name + " ss -Htn state established").lines().count();
    }

    /** The bytes that the host has acknowledged to the test, over the connections open now. */
    long acknowledged() throws IOException, InterruptedException {
      return ACKNOWLEDGED
          .matcher(run("ss -Htin state established dst " + address))
          .results()
          .mapToLong(result -> Long.parseLong(result.group(1)))
          .sum();
    }

    private void close() throws IOException, InterruptedException {
      for (Process process : processes) {
        process.destroyForcibly().waitFor();
      }
      runQuietly("ip netns del " + name);
      runQuietly("ip link del " + cable);
    }
  }

  /**
   * A process of a host.
   *
   * @param process which can be killed
   * @param line what it said first
   */
  record Service(Process process, String line) {
    /** Kills it, as {@code kill -9}. */
    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }

  private static void ip(String arguments) throws IOException, InterruptedException {
    run("ip " + arguments);
  }

  private static String run(String command) throws IOException, InterruptedException {
    ProcessRun run = ProcessRun.of(new ProcessBuilder(command.split(" ", -1)));
    if (run.status() != 0) {
      throw new IOException(command + ": " + run.err().strip());
    }
    return run.out();
  }

  private static void runQuietly(String command) throws IOException, InterruptedException {
    new ProcessBuilder(command.split(" ", -1))
        .redirectErrorStream(true)
        .redirectOutput(new File("/dev/null"))
        .start()
        .waitFor();
  }
}
