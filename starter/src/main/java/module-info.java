/**
 * What most applications need: the virtual machine, the compiler, the builtin functions and the CPU
 * backend. Contains no code.
 */
module org.relaxvm.starter {
  requires transitive org.relaxvm.compiler;
  requires transitive org.relaxvm.vmcore;
  requires org.relaxvm.backendcpu;
  requires org.relaxvm.builtins;
}
