/** Functions that let other clients be tried against a server. */
@NullMarked
package org.relaxvm.rpc.testfunctions;

import org.jspecify.annotations.NullMarked;
