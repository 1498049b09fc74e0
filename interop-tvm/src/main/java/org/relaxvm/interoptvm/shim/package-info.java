/**
 * The functions of the TVM runtime that exported libraries expect to find in the process. A library
 * written here exports them and leads each to an address of Java's choice.
 */
@NullMarked
package org.relaxvm.interoptvm.shim;

import org.jspecify.annotations.NullMarked;
