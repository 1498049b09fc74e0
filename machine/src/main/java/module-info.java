/** Machine code from Java: assemblers, executable memory, features of the processor. */
module org.relaxvm.machine {
  requires static org.jspecify;

  exports org.relaxvm.machine.arm64;
  exports org.relaxvm.machine.cpu;
  exports org.relaxvm.machine.memory;
  exports org.relaxvm.machine.x64;
}
