/**
 * The virtual machine: binds a program to devices and functions and runs it. Start with {@link
 * org.relaxvm.vmcore.vm.VirtualMachine}.
 */
@NullMarked
package org.relaxvm.vmcore.vm;

import org.jspecify.annotations.NullMarked;
