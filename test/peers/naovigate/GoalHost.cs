// SPDX-License-Identifier: Apache-2.0
// Runs GoalServer: lines of standard input are what it sends, or "sleep MS".
using System; using System.Threading; using Naovigate.Communication; using Naovigate.Util;
namespace Naovigate { public static class GoalHost { public static void Main(string[] a){ Logger.LogToFile=false; var s=GoalServer.Instance; s.Start("127.0.0.1",int.Parse(a[0])); string l; while((l=Console.ReadLine())!=null){ if(l.StartsWith("sleep")) Thread.Sleep(int.Parse(l.Substring(6))); else { Console.WriteLine("SEND "+l); s.SendDataRange(l);} } Environment.Exit(0);} } }
